// Runs WebAssembly modules for tests: a request a line on standard input, an answer a line on standard output.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { load, TrapError } from "../../examples/webassembly/hologram.mjs";

const programs = new Map();

function decode(argument) {
  if (argument.data !== undefined) {
    const bytes = Buffer.from(argument.data, "base64");
    // A copy of its own: small buffers of Node share memory.
    return { data: new Uint8Array(bytes), shape: argument.shape };
  }
  return argument.bits !== undefined ? { bits: BigInt(argument.bits) } : BigInt(argument.wide);
}

async function answer({ load: path, id, call, args }) {
  if (path !== undefined) {
    programs.set(id, await load(await readFile(path)));
    return { entries: programs.get(id).entries };
  }
  const given = args.map(decode);
  const written = () => given.filter((a) => a.data).map((a) => Buffer.from(a.data).toString("base64"));
  try {
    const sums = programs.get(id).call(call, given);
    return { written: written(), sums: sums && [...sums].map(String) };
  } catch (error) {
    if (error instanceof TrapError) return { written: written(), trap: error.message, site: error.site };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let found;
  try {
    found = await answer(JSON.parse(line));
  } catch (error) {
    found = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(found) + "\n");
}
