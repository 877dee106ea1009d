# ERROR: 'bufs' is no object of the machine form

from hologram.dialects.machine.address import AddressAttr

AddressAttr("bufs")
