/* The numbers of the Atlas ISA's binary form, made from the declarations by `make docs`: do not edit.

   docs/isa/binary.mdx describes the container byte by byte. A number never changes its meaning. */

#ifndef HOLOGRAM_ISA_H
#define HOLOGRAM_ISA_H

/* The frame of a container, the machine's sizes, and the 64-bit words of a trap record. */
#define ATLAS_MAGIC "\x89\x41\x54\x4c\x41\x53\x0d\x0a"
#define ATLAS_SECTION_OPCODES "OPCS"
#define ATLAS_SECTION_CODE "CODE"
#define ATLAS_SECTION_NAMES "NAME"
#define ATLAS_MAJOR 1
#define ATLAS_MINOR 2
#define ATLAS_MAGIC_BYTES 8
#define ATLAS_HEAD_BYTES 24
#define ATLAS_DIGEST_BYTES 32
#define ATLAS_HEADER_BYTES 56
#define ATLAS_SECTION_BYTES 24
#define ATLAS_REGISTERS 256
#define ATLAS_PREDICATES 16
#define ATLAS_CLASSES 96
#define ATLAS_CLASS_BYTES 12288
#define ATLAS_PAGE_BYTES 256
#define ATLAS_TRAP_WORDS 8

/* What begins an item of the code section. */
enum atlas_item {
  ATLAS_ITEM_POOL = 0,
  ATLAS_ITEM_PROGRAM = 1,
  ATLAS_ITEM_FUNCTION = 2,
  ATLAS_ITEM_ARRAYS = 3
};

/* What begins a parameter. */
enum atlas_parameter {
  ATLAS_PARAMETER_ARRAY = 0,
  ATLAS_PARAMETER_SCALAR = 1
};

/* The flags of a launch. */
enum atlas_launch {
  ATLAS_LAUNCH_HAS_BLOCK = 1,
  ATLAS_LAUNCH_HAS_GRID = 2,
  ATLAS_LAUNCH_HAS_SHARED = 4
};

/* What a branch is under. */
enum atlas_guard {
  ATLAS_GUARD_UNGUARDED = 0,
  ATLAS_GUARD_GUARDED = 1,
  ATLAS_GUARD_NEGATED = 2
};

/* The memory of a declared array. */
enum atlas_array {
  ATLAS_ARRAY_SHARED = 0,
  ATLAS_ARRAY_LOCAL = 1
};

/* What an array-level instruction works on. */
enum atlas_operand {
  ATLAS_OPERAND_BUF = 0,
  ATLAS_OPERAND_TEMP = 1,
  ATLAS_OPERAND_R = 2,
  ATLAS_OPERAND_P = 3
};

/* What an index expression is. */
enum atlas_index {
  ATLAS_INDEX_LOOP = 0,
  ATLAS_INDEX_NUMBER = 1,
  ATLAS_INDEX_ADD = 2,
  ATLAS_INDEX_MUL = 3,
  ATLAS_INDEX_FLOORDIV = 4,
  ATLAS_INDEX_CEILDIV = 5,
  ATLAS_INDEX_MOD = 6
};

/* How a reduction combines. */
enum atlas_kind {
  ATLAS_KIND_ADD = 0,
  ATLAS_KIND_MUL = 1,
  ATLAS_KIND_MIN = 2,
  ATLAS_KIND_MAX = 3,
  ATLAS_KIND_MIN_NAN = 4,
  ATLAS_KIND_MAX_NAN = 5
};

/* The memory of a pointer. */
enum atlas_space {
  ATLAS_SPACE_GLOBAL = 0,
  ATLAS_SPACE_SHARED = 1,
  ATLAS_SPACE_LOCAL = 2,
  ATLAS_SPACE_CLASS = 3,
  ATLAS_SPACE_POOL = 4
};

/* Instructions. */
enum atlas_op {
  ATLAS_OP_BRA = 1,
  ATLAS_OP_LOOP = 2,
  ATLAS_OP_CALL = 3,
  ATLAS_OP_RET = 4,
  ATLAS_OP_EXIT = 5,
  ATLAS_OP_MOV = 6,
  ATLAS_OP_ADD = 7,
  ATLAS_OP_SUB = 8,
  ATLAS_OP_MUL = 9,
  ATLAS_OP_DIV = 10,
  ATLAS_OP_REM = 11,
  ATLAS_OP_MAD = 12,
  ATLAS_OP_FMA = 13,
  ATLAS_OP_FMS = 14,
  ATLAS_OP_MIN = 15,
  ATLAS_OP_MAX = 16,
  ATLAS_OP_MIN_NAN = 17,
  ATLAS_OP_MAX_NAN = 18,
  ATLAS_OP_ABS = 19,
  ATLAS_OP_NEG = 20,
  ATLAS_OP_SIGN = 21,
  ATLAS_OP_CLAMP = 22,
  ATLAS_OP_LERP = 23,
  ATLAS_OP_AND = 24,
  ATLAS_OP_OR = 25,
  ATLAS_OP_XOR = 26,
  ATLAS_OP_NOT = 27,
  ATLAS_OP_SHL = 28,
  ATLAS_OP_SHR = 29,
  ATLAS_OP_SEL = 30,
  ATLAS_OP_FLOOR = 31,
  ATLAS_OP_CEIL = 32,
  ATLAS_OP_ROUND = 33,
  ATLAS_OP_TRUNC = 34,
  ATLAS_OP_SQRT = 35,
  ATLAS_OP_RSQRT = 36,
  ATLAS_OP_RCP = 37,
  ATLAS_OP_RELU = 38,
  ATLAS_OP_SIGMOID = 39,
  ATLAS_OP_GELU = 40,
  ATLAS_OP_GELU_TANH = 41,
  ATLAS_OP_SWISH = 42,
  ATLAS_OP_EXP = 43,
  ATLAS_OP_EXP2 = 44,
  ATLAS_OP_EXPM1 = 45,
  ATLAS_OP_LOG = 46,
  ATLAS_OP_LOG2 = 47,
  ATLAS_OP_LOG10 = 48,
  ATLAS_OP_LOG1P = 49,
  ATLAS_OP_POW = 50,
  ATLAS_OP_SIN = 51,
  ATLAS_OP_COS = 52,
  ATLAS_OP_TAN = 53,
  ATLAS_OP_ATAN = 54,
  ATLAS_OP_ATAN2 = 55,
  ATLAS_OP_TANH = 56,
  ATLAS_OP_ERF = 57,
  ATLAS_OP_SETCC = 58,
  ATLAS_OP_CVT = 59,
  ATLAS_OP_MOV_IMM = 60,
  ATLAS_OP_SPECIAL = 61,
  ATLAS_OP_LEA = 68,
  ATLAS_OP_BAR_SYNC = 69,
  ATLAS_OP_ATOM_ADD = 70,
  ATLAS_OP_ATOM_MIN = 71,
  ATLAS_OP_ATOM_MAX = 72,
  ATLAS_OP_ATOM_AND = 73,
  ATLAS_OP_ATOM_OR = 74,
  ATLAS_OP_ATOM_XOR = 75,
  ATLAS_OP_ATOM_EXCH = 76,
  ATLAS_OP_ATOM_CAS = 77,
  ATLAS_OP_MEMFENCE = 78,
  ATLAS_OP_LDG = 79,
  ATLAS_OP_STG = 80,
  ATLAS_OP_LDS = 81,
  ATLAS_OP_STS = 82,
  ATLAS_OP_LDL = 83,
  ATLAS_OP_STL = 84,
  ATLAS_OP_MIRROR = 85,
  ATLAS_OP_IS_UNITY = 86,
  ATLAS_OP_NBR_COUNT = 87,
  ATLAS_OP_NBR_GET = 88,
  ATLAS_OP_CLS_GET = 89,
  ATLAS_OP_PHASE_GET = 90,
  ATLAS_OP_PHASE_ADV = 91,
  ATLAS_OP_PHASE_READ = 92,
  ATLAS_OP_PHASE_WRITE = 93,
  ATLAS_OP_RES_ACCUM = 94,
  ATLAS_OP_UNITY_TEST = 95,
  ATLAS_OP_BOUND_MAP = 96,
  ATLAS_OP_CLS_OF = 97,
  ATLAS_OP_NBR_LOAD = 98,
  ATLAS_OP_NBR_STORE = 99,
  ATLAS_OP_CVT_BITS = 100,
  ATLAS_OP_REDUCE_ADD = 101,
  ATLAS_OP_REDUCE_MIN = 102,
  ATLAS_OP_REDUCE_MAX = 103,
  ATLAS_OP_REDUCE_MUL = 104,
  ATLAS_OP_POOL_ALLOC = 105,
  ATLAS_OP_POOL_LOAD = 106,
  ATLAS_OP_POOL_STORE = 107,
  ATLAS_OP_POOL_FREE = 108,
  ATLAS_OP_REDUCE_ADD_SPAN = 109,
  ATLAS_OP_REDUCE_MIN_SPAN = 110,
  ATLAS_OP_REDUCE_MAX_SPAN = 111,
  ATLAS_OP_REDUCE_MUL_SPAN = 112,
  ATLAS_OP_ASSERT = 113,
  ATLAS_OP_CVT_SATFINITE = 114,
  ATLAS_OP_MAP = 115,
  ATLAS_OP_REDUCE = 116,
  ATLAS_OP_FILL = 117,
  ATLAS_OP_COPY = 118,
  ATLAS_OP_TRANSPOSE = 119,
  ATLAS_OP_PARALLEL_MAP = 120,
  ATLAS_OP_PARALLEL_MAP_BINARY = 121,
  ATLAS_OP_PARALLEL_REDUCE = 122,
  ATLAS_OP_GATHER = 123,
  ATLAS_OP_SOFTMAX = 124,
  ATLAS_OP_GEMM = 125,
  ATLAS_OP_SCAN = 128,
  ATLAS_OP_SCATTER = 129,
  ATLAS_OP_LAYER_NORM = 130,
  ATLAS_OP_BATCH_NORM = 131,
  ATLAS_OP_GROUP_NORM = 132,
  ATLAS_OP_LAYER_SCALE = 133,
  ATLAS_OP_BATCHED_GEMM = 134,
  ATLAS_OP_MIXED_PRECISION_GEMM = 135,
  ATLAS_OP_QUANTIZED_GEMM = 136,
  ATLAS_OP_TENSOR_CONTRACT = 137,
  ATLAS_OP_CONV2D = 138,
  ATLAS_OP_ATTENTION = 139,
  ATLAS_OP_FLASH_ATTENTION = 140,
  ATLAS_OP_FFT = 141,
  ATLAS_OP_SPARSE_GEMM = 142,
  ATLAS_OP_ROPE = 143,
  ATLAS_OP_KV_CACHE_UPDATE = 144,
  ATLAS_OP_ALL_REDUCE = 145,
  ATLAS_OP_ALL_GATHER = 146,
  ATLAS_OP_ARGMIN = 147,
  ATLAS_OP_ARGMAX = 148,
  ATLAS_OP_SORT = 149,
  ATLAS_OP_ARGSORT = 150,
  ATLAS_OP_SEARCHSORTED = 151,
  ATLAS_OP_SCATTER_REDUCE = 152
};

/* Types; a pointer is followed by what it points to. */
enum atlas_type {
  ATLAS_TYPE_F16 = 0,
  ATLAS_TYPE_BF16 = 1,
  ATLAS_TYPE_F32 = 2,
  ATLAS_TYPE_F64 = 3,
  ATLAS_TYPE_I8 = 4,
  ATLAS_TYPE_I16 = 5,
  ATLAS_TYPE_I32 = 6,
  ATLAS_TYPE_I64 = 7,
  ATLAS_TYPE_I128 = 8,
  ATLAS_TYPE_I256 = 9,
  ATLAS_TYPE_I512 = 10,
  ATLAS_TYPE_I1024 = 11,
  ATLAS_TYPE_I2048 = 12,
  ATLAS_TYPE_I4096 = 13,
  ATLAS_TYPE_U8 = 14,
  ATLAS_TYPE_U16 = 15,
  ATLAS_TYPE_U32 = 16,
  ATLAS_TYPE_U64 = 17,
  ATLAS_TYPE_U128 = 18,
  ATLAS_TYPE_U256 = 19,
  ATLAS_TYPE_U512 = 20,
  ATLAS_TYPE_U1024 = 21,
  ATLAS_TYPE_U2048 = 22,
  ATLAS_TYPE_U4096 = 23,
  ATLAS_TYPE_BOOL = 24,
  ATLAS_TYPE_F8E4M3FN = 25,
  ATLAS_TYPE_F8E5M2 = 26,
  ATLAS_TYPE_POINTER = 255
};

/* Special registers. */
enum atlas_special {
  ATLAS_SPECIAL_LANE_X = 0,
  ATLAS_SPECIAL_LANE_Y = 1,
  ATLAS_SPECIAL_LANE_Z = 2,
  ATLAS_SPECIAL_BLOCK_X = 3,
  ATLAS_SPECIAL_BLOCK_Y = 4,
  ATLAS_SPECIAL_BLOCK_Z = 5,
  ATLAS_SPECIAL_LANES_X = 6,
  ATLAS_SPECIAL_LANES_Y = 7,
  ATLAS_SPECIAL_LANES_Z = 8,
  ATLAS_SPECIAL_GRID_X = 9,
  ATLAS_SPECIAL_GRID_Y = 10,
  ATLAS_SPECIAL_GRID_Z = 11,
  ATLAS_SPECIAL_GID = 12
};

/* What an address begins with. */
enum atlas_object {
  ATLAS_OBJECT_BUF = 0,
  ATLAS_OBJECT_SHARED = 1,
  ATLAS_OBJECT_LOCAL = 2,
  ATLAS_OBJECT_POOL = 3,
  ATLAS_OBJECT_C = 4,
  ATLAS_OBJECT_REG = 5,
  ATLAS_OBJECT_PHI = 6
};

/* The condition of setcc. */
enum atlas_setcc_condition {
  ATLAS_SETCC_CONDITION_EQ = 0,
  ATLAS_SETCC_CONDITION_NE = 1,
  ATLAS_SETCC_CONDITION_LT = 2,
  ATLAS_SETCC_CONDITION_LE = 3,
  ATLAS_SETCC_CONDITION_GT = 4,
  ATLAS_SETCC_CONDITION_GE = 5,
  ATLAS_SETCC_CONDITION_LTU = 6,
  ATLAS_SETCC_CONDITION_LEU = 7,
  ATLAS_SETCC_CONDITION_GTU = 8,
  ATLAS_SETCC_CONDITION_GEU = 9
};

/* The vector of ldg. */
enum atlas_ldg_vector {
  ATLAS_LDG_VECTOR_NONE = 0,
  ATLAS_LDG_VECTOR_V2 = 1,
  ATLAS_LDG_VECTOR_V4 = 2
};

/* The vector of stg. */
enum atlas_stg_vector {
  ATLAS_STG_VECTOR_NONE = 0,
  ATLAS_STG_VECTOR_V2 = 1,
  ATLAS_STG_VECTOR_V4 = 2
};

/* The vector of lds. */
enum atlas_lds_vector {
  ATLAS_LDS_VECTOR_NONE = 0,
  ATLAS_LDS_VECTOR_V2 = 1,
  ATLAS_LDS_VECTOR_V4 = 2
};

/* The vector of sts. */
enum atlas_sts_vector {
  ATLAS_STS_VECTOR_NONE = 0,
  ATLAS_STS_VECTOR_V2 = 1,
  ATLAS_STS_VECTOR_V4 = 2
};

/* The vector of ldl. */
enum atlas_ldl_vector {
  ATLAS_LDL_VECTOR_NONE = 0,
  ATLAS_LDL_VECTOR_V2 = 1,
  ATLAS_LDL_VECTOR_V4 = 2
};

/* The vector of stl. */
enum atlas_stl_vector {
  ATLAS_STL_VECTOR_NONE = 0,
  ATLAS_STL_VECTOR_V2 = 1,
  ATLAS_STL_VECTOR_V4 = 2
};

/* The scope of memfence. */
enum atlas_memfence_scope {
  ATLAS_MEMFENCE_SCOPE_THREAD = 0,
  ATLAS_MEMFENCE_SCOPE_BLOCK = 1,
  ATLAS_MEMFENCE_SCOPE_DEVICE = 2,
  ATLAS_MEMFENCE_SCOPE_SYSTEM = 3
};

/* The vector of pool.load. */
enum atlas_pool_load_vector {
  ATLAS_POOL_LOAD_VECTOR_NONE = 0,
  ATLAS_POOL_LOAD_VECTOR_V2 = 1,
  ATLAS_POOL_LOAD_VECTOR_V4 = 2
};

/* The vector of pool.store. */
enum atlas_pool_store_vector {
  ATLAS_POOL_STORE_VECTOR_NONE = 0,
  ATLAS_POOL_STORE_VECTOR_V2 = 1,
  ATLAS_POOL_STORE_VECTOR_V4 = 2
};

/* X(number, name, signature) for each instruction: the signature is what section OPCS holds beside them. */
#define ATLAS_INSTRUCTIONS(X) \
  X(1, "bra", "bra guard:guard target:label") \
  X(2, "loop", "loop <type> counter:register target:label") \
  X(3, "call", "call callee:function") \
  X(4, "ret", "ret") \
  X(5, "exit", "exit") \
  X(6, "mov", "mov <type> =d:T a:T") \
  X(7, "add", "add <type> =d:T a:T b:T") \
  X(8, "sub", "sub <type> =d:T a:T b:T") \
  X(9, "mul", "mul <type> =d:T a:T b:T") \
  X(10, "div", "div <type> =d:T a:T b:T") \
  X(11, "rem", "rem <type> =d:T a:T b:T") \
  X(12, "mad", "mad <type> =d:T a:T b:T c:T") \
  X(13, "fma", "fma <type> =d:T a:T b:T c:T") \
  X(14, "fms", "fms <type> =d:T a:T b:T c:T") \
  X(15, "min", "min <type> =d:T a:T b:T") \
  X(16, "max", "max <type> =d:T a:T b:T") \
  X(17, "min.nan", "min.nan <type> =d:T a:T b:T") \
  X(18, "max.nan", "max.nan <type> =d:T a:T b:T") \
  X(19, "abs", "abs <type> =d:T a:T") \
  X(20, "neg", "neg <type> =d:T a:T") \
  X(21, "sign", "sign <type> =d:T a:T") \
  X(22, "clamp", "clamp <type> =d:T x:T lo:T hi:T") \
  X(23, "lerp", "lerp <type> =d:T a:T b:T t:T") \
  X(24, "and", "and <type> =d:T a:T b:T") \
  X(25, "or", "or <type> =d:T a:T b:T") \
  X(26, "xor", "xor <type> =d:T a:T b:T") \
  X(27, "not", "not <type> =d:T a:T") \
  X(28, "shl", "shl <type> =d:T a:T amount:u32") \
  X(29, "shr", "shr <type> =d:T a:T amount:u32") \
  X(30, "sel", "sel <type> =d:T p:bool a:T b:T") \
  X(31, "floor", "floor <type> =d:T a:T") \
  X(32, "ceil", "ceil <type> =d:T a:T") \
  X(33, "round", "round <type> =d:T a:T") \
  X(34, "trunc", "trunc <type> =d:T a:T") \
  X(35, "sqrt", "sqrt <type> =d:T a:T") \
  X(36, "rsqrt", "rsqrt <type> =d:T a:T") \
  X(37, "rcp", "rcp <type> =d:T a:T") \
  X(38, "relu", "relu <type> =d:T a:T") \
  X(39, "sigmoid", "sigmoid <type> =d:T a:T") \
  X(40, "gelu", "gelu <type> =d:T a:T") \
  X(41, "gelu.tanh", "gelu.tanh <type> =d:T a:T") \
  X(42, "swish", "swish <type> =d:T a:T") \
  X(43, "exp", "exp <type> =d:T a:T") \
  X(44, "exp2", "exp2 <type> =d:T a:T") \
  X(45, "expm1", "expm1 <type> =d:T a:T") \
  X(46, "log", "log <type> =d:T a:T") \
  X(47, "log2", "log2 <type> =d:T a:T") \
  X(48, "log10", "log10 <type> =d:T a:T") \
  X(49, "log1p", "log1p <type> =d:T a:T") \
  X(50, "pow", "pow <type> =d:T a:T b:T") \
  X(51, "sin", "sin <type> =d:T a:T") \
  X(52, "cos", "cos <type> =d:T a:T") \
  X(53, "tan", "tan <type> =d:T a:T") \
  X(54, "atan", "atan <type> =d:T a:T") \
  X(55, "atan2", "atan2 <type> =d:T a:T b:T") \
  X(56, "tanh", "tanh <type> =d:T a:T") \
  X(57, "erf", "erf <type> =d:T a:T") \
  X(58, "setcc", "setcc .{condition: eq ne lt le gt ge ltu leu gtu geu} <type> =p:bool a:T b:T") \
  X(59, "cvt", "cvt <type> <source_type> =d:T a:S") \
  X(60, "mov_imm", "mov_imm <type> =d:T value:const") \
  X(61, "special", "special <type> =d:T register:special") \
  X(68, "lea", "lea <type> =d:ptr address:address") \
  X(69, "bar.sync", "bar.sync id:#") \
  X(70, "atom.add", "atom.add <type> =d:T address:address value:T") \
  X(71, "atom.min", "atom.min <type> =d:T address:address value:T") \
  X(72, "atom.max", "atom.max <type> =d:T address:address value:T") \
  X(73, "atom.and", "atom.and <type> =d:T address:address value:T") \
  X(74, "atom.or", "atom.or <type> =d:T address:address value:T") \
  X(75, "atom.xor", "atom.xor <type> =d:T address:address value:T") \
  X(76, "atom.exch", "atom.exch <type> =d:T address:address value:T") \
  X(77, "atom.cas", "atom.cas <type> =d:T address:address compare:T value:T") \
  X(78, "memfence", "memfence .{scope: thread block device system}") \
  X(79, "ldg", "ldg .{vector: - v2 v4} <type> =d:T address:address") \
  X(80, "stg", "stg .{vector: - v2 v4} <type> address:address value:T") \
  X(81, "lds", "lds .{vector: - v2 v4} <type> =d:T address:address") \
  X(82, "sts", "sts .{vector: - v2 v4} <type> address:address value:T") \
  X(83, "ldl", "ldl .{vector: - v2 v4} <type> =d:T address:address") \
  X(84, "stl", "stl .{vector: - v2 v4} <type> address:address value:T") \
  X(85, "mirror", "mirror <type> =d:T c:T") \
  X(86, "is_unity", "is_unity <type> =d:bool c:T") \
  X(87, "nbr.count", "nbr.count <type> =d:T c:T") \
  X(88, "nbr.get", "nbr.get <type> =d:T c:T i:T") \
  X(89, "cls.get", "cls.get =d:u32") \
  X(90, "phase.get", "phase.get =d:u32") \
  X(91, "phase.adv", "phase.adv n:u32") \
  X(92, "phase.read", "phase.read =d:u32 c:u32") \
  X(93, "phase.write", "phase.write c:u32 value:u32") \
  X(94, "res.accum", "res.accum <type> c:u32 value:T") \
  X(95, "unity.test", "unity.test <type> =p:bool eps:T") \
  X(96, "bound.map", "bound.map <type> =d:ptr c:u32 page:u32 byte:u32") \
  X(97, "cls.of", "cls.of <type> =d:u32 address:address") \
  X(98, "nbr.load", "nbr.load <type> =d:T address:address i:u32") \
  X(99, "nbr.store", "nbr.store <type> address:address i:u32 value:T") \
  X(100, "cvt.bits", "cvt.bits <type> <source_type> =d:T a:S") \
  X(101, "reduce.add", "reduce.add <type> =d:T values:T*count count:#") \
  X(102, "reduce.min", "reduce.min <type> =d:T values:T*count count:#") \
  X(103, "reduce.max", "reduce.max <type> =d:T values:T*count count:#") \
  X(104, "reduce.mul", "reduce.mul <type> =d:T values:T*count count:#") \
  X(105, "pool.alloc", "pool.alloc pool:pool") \
  X(106, "pool.load", "pool.load .{vector: - v2 v4} <type> =d:T address:address") \
  X(107, "pool.store", "pool.store .{vector: - v2 v4} <type> address:address value:T") \
  X(108, "pool.free", "pool.free pool:pool") \
  X(109, "reduce.add.span", "reduce.add.span <type> =d:T address:address n:u64") \
  X(110, "reduce.min.span", "reduce.min.span <type> =d:T address:address n:u64") \
  X(111, "reduce.max.span", "reduce.max.span <type> =d:T address:address n:u64") \
  X(112, "reduce.mul.span", "reduce.mul.span <type> =d:T address:address n:u64") \
  X(113, "assert", "assert condition:bool message:text") \
  X(114, "cvt.satfinite", "cvt.satfinite <type> <source_type> =d:T a:S") \
  X(115, "map", "map outs ins maps:maps body:function contract:mark") \
  X(116, "reduce", "reduce outs ins finish_ins kinds:kinds types:types maps:maps body:function finish:function? reassoc:mark contract:mark") \
  X(117, "fill", "fill outs ins") \
  X(118, "copy", "copy outs ins") \
  X(119, "transpose", "transpose outs ins permutation:integers") \
  X(120, "parallel_map", "parallel_map .{operation: instruction} <type> outs ins") \
  X(121, "parallel_map_binary", "parallel_map_binary .{operation: instruction} <type> outs ins") \
  X(122, "parallel_reduce", "parallel_reduce .{kind: add mul min max min.nan max.nan} <type> outs ins reassoc:mark") \
  X(123, "gather", "gather outs ins axis:integer") \
  X(124, "softmax", "softmax outs ins axis:integer reassoc:mark") \
  X(125, "gemm", "gemm outs ins finish_ins alpha:float? beta:float? trans_a:flag trans_b:flag finish_maps:maps? finish:function? contract:mark") \
  X(128, "scan", "scan .{kind: add mul min max min.nan max.nan} <type> outs ins axis:integer exclusive:flag reassoc:mark") \
  X(129, "scatter", "scatter outs ins axis:integer") \
  X(130, "layer_norm", "layer_norm outs ins eps:float reassoc:mark") \
  X(131, "batch_norm", "batch_norm outs ins eps:float reassoc:mark") \
  X(132, "group_norm", "group_norm outs ins groups:integer eps:float reassoc:mark") \
  X(133, "layer_scale", "layer_scale outs ins") \
  X(134, "batched_gemm", "batched_gemm outs ins alpha:float? beta:float? trans_a:flag trans_b:flag") \
  X(135, "mixed_precision_gemm", "mixed_precision_gemm outs ins alpha:float? beta:float? trans_a:flag trans_b:flag") \
  X(136, "quantized_gemm", "quantized_gemm <type> <type_b?> outs ins a_scale:float? b_scale:float? c_scale:float? trans_a:flag trans_b:flag") \
  X(137, "tensor_contract", "tensor_contract outs ins contract_a:integers contract_b:integers") \
  X(138, "conv2d", "conv2d outs ins stride:integers? padding:integers? dilation:integers? groups:integer?") \
  X(139, "attention", "attention outs ins causal:flag scale:float?") \
  X(140, "flash_attention", "flash_attention outs ins block_size:integer? causal:flag scale:float?") \
  X(141, "fft", "fft outs ins inverse:flag") \
  X(142, "sparse_gemm", "sparse_gemm outs ins") \
  X(143, "rope", "rope outs ins halves:flag") \
  X(144, "kv_cache_update", "kv_cache_update outs ins") \
  X(145, "all_reduce", "all_reduce .{kind: add mul min max min.nan max.nan} <type> outs ins devices:integers?") \
  X(146, "all_gather", "all_gather outs ins devices:integers?") \
  X(147, "argmin", "argmin <type> outs ins axis:integer nan:flag") \
  X(148, "argmax", "argmax <type> outs ins axis:integer nan:flag") \
  X(149, "sort", "sort <type> outs ins axis:integer descending:flag") \
  X(150, "argsort", "argsort <type> outs ins axis:integer descending:flag") \
  X(151, "searchsorted", "searchsorted <type> outs ins right:flag") \
  X(152, "scatter_reduce", "scatter_reduce .{kind: add mul min max min.nan max.nan} <type> outs ins axis:integer") \
  /* end */

#endif
