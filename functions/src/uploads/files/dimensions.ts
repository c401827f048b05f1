import type { Kind } from './kinds.ts';
import { HEAD_BYTES } from './signature.ts';

export interface Dimensions {
  /** Pixels, as shown: after the turn that the camera noted. */
  width: number;
  height: number;
}

/** From this value of EXIF on a picture is shown turned by a quarter. https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf */
const FIRST_QUARTER_TURN = 5;

/** How large a picture is, by the head of its bytes; undefined for other kinds and where it does not tell. */
export async function dimensionsOf(bytes: Buffer, { category }: Kind): Promise<Dimensions | undefined> {
  if (category !== 'image') return undefined;
  const { imageSize } = await import('image-size');
  try {
    // A copy, because the library looks beyond the end of a view: there lie the bytes of others.
    const head = new Uint8Array(bytes.subarray(0, HEAD_BYTES));
    const { width, height, orientation = 1 } = imageSize(head);
    return orientation < FIRST_QUARTER_TURN ? { width, height } : { width: height, height: width };
  } catch {
    return undefined;
  }
}
