import { invalidArgument } from '../errors.ts';
import type { WireTarget } from '../wire/messages.ts';
import { decodeTimestamp } from '../wire/value-codec.ts';

const TOKEN_BYTES = 8;

/** A token from which a listener can go on: the time up to which it has seen everything, in microseconds. */
export function encodeResumeToken(time: number): Buffer {
  const token = Buffer.alloc(TOKEN_BYTES);
  token.writeBigUInt64BE(BigInt(time));
  return token;
}

/** The time from which the target wants to go on, or undefined for a start. Throws INVALID_ARGUMENT. */
export function resumeTime({ resumeToken, readTime }: WireTarget): number | undefined {
  if (readTime) return decodeTimestamp(readTime).toMicros();
  if (!resumeToken || resumeToken.length === 0) return undefined;
  if (resumeToken.length !== TOKEN_BYTES) throw invalidArgument('The resume token is invalid.');
  return Number(Buffer.from(resumeToken).readBigUInt64BE());
}
