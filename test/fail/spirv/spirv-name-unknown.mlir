// RUN: hologram-opt %s
// EXIT: 1
// ERROR: there is no storage class 'StorageBufer'
func.func private @f(!spirv.ptr<f32, StorageBufer>)
