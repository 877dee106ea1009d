// Runs WebAssembly modules that Hologram wrote (`-t wasm`), in Node and in browsers. Needs nothing but the engine.
//
//   import { load } from "./hologram.mjs";
//   const program = await load(bytes);
//   const r = { data: new Float32Array(3), shape: [3] };
//   program.call("saxpy", [{ data: x, shape: [3] }, { data: y, shape: [3] }, r, 2.0]);
//
// Arguments come in the order of the entry record (`program.entries`): arrays as `{ data, shape }` with `data` a typed
// array in C order, and maybe `strides` in elements; scalars as numbers, integers of 64 bits and more as BigInt, booleans
// as they are, 16-bit floats as `{ bits }`. Arrays that the program writes are changed in place. docs/launch-abi.mdx describes what is passed.

const WIDTHS = { bool: 1, i8: 1, u8: 1, f8E4M3FN: 1, f8E5M2: 1, i16: 2, u16: 2, f16: 2, bf16: 2, i32: 4, u32: 4, f32: 4 };
const PAGE = 65536;
const CLASS_BYTES = 1179648;
const SUM_BYTES = 16 * 96;

/** A program stopped: `site` says where and why, `lane` in which lane, `values` are the words that it left. */
export class TrapError extends Error {
  constructor(site, record) {
    super(`trapped in lane ${record[1]}: ${site}`);
    this.site = site;
    this.lane = record[1];
    this.values = record.slice(2);
  }
}

/** Memory behind the module's own data: first fit, free ranges joined. */
class Heap {
  constructor(memory, start) {
    this.memory = memory;
    this.free = [[align(start, 256), memory.buffer.byteLength]];
    this.used = new Map();
  }

  allocate(bytes) {
    const size = align(Math.max(bytes, 1), 256);
    let at = this.free.findIndex(([start, end]) => end - start >= size);
    if (at < 0) {
      at = this.grow(size);
      if (at < 0) return 0;
    }
    const [start, end] = this.free[at];
    this.free.splice(at, 1, ...(end - start > size ? [[start + size, end]] : []));
    this.used.set(start, start + size);
    return start;
  }

  grow(size) {
    const end = this.memory.buffer.byteLength;
    try {
      this.memory.grow(Math.ceil(size / PAGE));
    } catch {
      return -1;
    }
    this.used.set(end, this.memory.buffer.byteLength);
    this.release(end);
    return this.free.length - 1;
  }

  release(address) {
    const end = this.used.get(address);
    if (end === undefined) return;
    this.used.delete(address);
    this.free.push([address, end]);
    this.free.sort((a, b) => a[0] - b[0]);
    this.free = this.free.reduce((joined, range) => {
      const last = joined[joined.length - 1];
      if (last && last[1] === range[0]) last[1] = range[1];
      else joined.push(range);
      return joined;
    }, []);
  }
}

function align(value, to) {
  return Math.ceil(value / to) * to;
}

/** Makes a program of the bytes of a module. */
export async function load(bytes) {
  let heap;
  const env = {
    aligned_alloc: (alignment, size) => heap.allocate(Number(size)),
    free: (address) => heap.release(address >>> 0),
  };
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  heap = new Heap(instance.exports.memory, instance.exports.__heap_base.value);
  return new Program(instance.exports, heap);
}

export class Program {
  constructor(exports, heap) {
    this.exports = exports;
    this.memory = exports.memory;
    this.heap = heap;
    this.stack = exports.__stack_pointer.value;
    this.entries = JSON.parse(this.text(exports.hologram_entries.value));
    this.classes = 0;
  }

  text(address) {
    const all = new Uint8Array(this.memory.buffer);
    return new TextDecoder().decode(all.subarray(address, all.indexOf(0, address)));
  }

  /** Class memory, which the programs of this module share: 1,179,648 bytes, zeros at first. */
  get classMemory() {
    if (!this.classes) {
      this.classes = this.heap.allocate(CLASS_BYTES);
      new Uint8Array(this.memory.buffer, this.classes, CLASS_BYTES).fill(0);
    }
    return new Uint8Array(this.memory.buffer, this.classes, CLASS_BYTES);
  }

  /** Launches an entry. Gives the sums of R, 192 words as BigInt, if the program has any. */
  call(name, args) {
    const entry = this.entries.find((e) => e.name === name);
    if (!entry) throw new Error(`there is no entry '${name}'; there are ${this.entries.map((e) => e.name)}`);
    if (args.length !== entry.arguments.length) {
      throw new Error(`'${name}' takes ${entry.arguments.length} arguments, not ${args.length}`);
    }
    const taken = [];
    try {
      return this.launch(entry, args, taken);
    } finally {
      // What a trap of the engine leaves on the stack would stay there.
      this.exports.__stack_pointer.value = this.stack;
      taken.forEach((address) => this.heap.release(address));
    }
  }

  launch(entry, args, taken) {
    const room = (bytes) => {
      const address = this.heap.allocate(bytes);
      if (!address) throw new RangeError(`no memory for ${bytes} bytes`);
      taken.push(address);
      return address;
    };
    const given = entry.arguments.map((argument, i) => ({ argument, value: args[i] }));
    const buffers = given.filter(({ argument }) => argument.kind === "buffer");
    const words = [];
    for (const buffer of buffers) {
      buffer.address = room(buffer.value.data.byteLength);
      words.push(BigInt(buffer.address));
    }
    for (const { argument, value } of buffers) {
      argument.shape.forEach((n, axis) => n === null && words.push(BigInt(value.shape[axis])));
      (argument.strides ?? []).forEach((n, axis) => n === null && words.push(BigInt(stridesOf(value)[axis])));
    }
    const scalars = given.filter(({ argument }) => argument.kind !== "buffer");
    for (const { argument, value } of scalars) words.push(this.scalar(argument, value, room));
    const trap = entry.trap ? room(64) : 0;
    const sums = entry.resonance ? room(SUM_BYTES) : 0;
    if (entry.trap) words.push(BigInt(trap));
    if (entry.classes) words.push(BigInt((this.classMemory, this.classes)));
    if (entry.resonance) words.push(BigInt(sums));
    const array = room(8 * words.length);
    // Memory may have moved while it grew; from here on it stays.
    const memory = new Uint8Array(this.memory.buffer);
    for (const { address, value } of buffers) memory.set(bytesOf(value.data), address);
    if (trap) memory.fill(0, trap, trap + 64);
    if (sums) memory.fill(0, sums, sums + SUM_BYTES);
    new BigUint64Array(this.memory.buffer, array, words.length).set(words);
    this.exports[entry.packed](array);
    return this.finish(entry, buffers, trap, sums);
  }

  finish(entry, buffers, trap, sums) {
    const memory = new Uint8Array(this.memory.buffer);
    for (const { argument, address, value } of buffers) {
      if (argument.access === "read") continue;
      const bytes = bytesOf(value.data);
      bytes.set(memory.subarray(address, address + bytes.length));
    }
    const record = trap ? [...new BigInt64Array(this.memory.buffer, trap, 8)] : [0n];
    if (record[0]) throw new TrapError(entry.sites[Number(record[0]) - 1], record);
    return sums ? new BigInt64Array(this.memory.buffer.slice(sums, sums + SUM_BYTES)) : undefined;
  }

  scalar({ dtype }, value, room) {
    const view = new DataView(new ArrayBuffer(8));
    if (typeof value === "object") return BigInt(value.bits);
    if (dtype === "f64") view.setFloat64(0, value, true);
    else if (dtype === "f32") view.setFloat32(0, value, true);
    else if (dtype === "f16" || dtype === "bf16" || dtype.startsWith("f8")) {
      throw new TypeError(`pass the bits of a scalar of ${dtype} as { bits }`);
    } else if (dtype in WIDTHS) view.setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true);
    else if (["i64", "u64", "index"].includes(dtype)) view.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
    else return this.limbs(Number(dtype.slice(1)) / 64, BigInt(value), room);
    return view.getBigUint64(0, true);
  }

  limbs(count, value, room) {
    const address = room(8 * count);
    const words = new BigUint64Array(this.memory.buffer, address, count);
    for (let i = 0; i < count; i++) words[i] = BigInt.asUintN(64, value >> BigInt(64 * i));
    return BigInt(address);
  }
}

function bytesOf(data) {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function stridesOf({ shape, strides }) {
  return strides ?? shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
}
