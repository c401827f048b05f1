import type { FileKindWithSignature } from './kinds.ts';
import { HEAD_BYTES } from './signature.ts';

export interface Dimensions {
  /** Pixels as shown, after the rotation by EXIF orientation. */
  width: number;
  height: number;
}

/**
 * EXIF orientations from this value on rotate a picture by 90 degrees.
 * https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf
 */
const FIRST_QUARTER_TURN = 5;

/** The width and height of a picture; undefined for other kinds and unreadable pictures. */
export async function dimensionsOf(
  bytes: Buffer,
  { category }: FileKindWithSignature,
): Promise<Dimensions | undefined> {
  if (category !== 'image') return undefined;
  const { imageSize } = await import('image-size');
  try {
    // A copy, because the library reads beyond the end of a view, into bytes of other requests.
    const head = new Uint8Array(bytes.subarray(0, HEAD_BYTES));
    const { width, height, orientation = 1 } = imageSize(head);
    return orientation < FIRST_QUARTER_TURN ? { width, height } : { width: height, height: width };
  } catch {
    return undefined;
  }
}
