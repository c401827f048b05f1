import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { bytes, type Value } from '../value.ts';
import { expectType } from './arguments.ts';
import type { FunctionTable } from './table.ts';

/** Reversed polynomial of CRC-32C (Castagnoli). */
const CASTAGNOLI = 0x82f63b78;

/** https://firebase.google.com/docs/reference/rules/rules.hashing; checksums come with the lowest byte first. */
export const hashingFunctions: FunctionTable = {
  crc32: (input) => checksum(crc32(dataOf(input))),
  crc32c: (input) => checksum(crc32c(dataOf(input))),
  md5: (input) => bytes(createHash('md5').update(dataOf(input)).digest()),
  sha256: (input) => bytes(createHash('sha256').update(dataOf(input)).digest()),
};

function dataOf(value: Value): Uint8Array {
  const input = expectType(value, 'bytes', 'string');
  return input.type === 'bytes' ? input.value : Buffer.from(input.value, 'utf8');
}

function checksum(value: number): Value {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return bytes(buffer);
}

function crc32c(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? CASTAGNOLI : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
