import type { Dimensions } from './dimensions.ts';

/** Of what a picture unpacks to: 200 MB of memory. Larger ones get no smaller copies. */
const MAX_PIXELS = 50_000_000;

const QUALITY = 80;

export interface Resized extends Dimensions {
  bytes: Buffer;
}

/**
 * Smaller copies of a picture as WebP, turned as the camera noted and without what it noted else, such as the place. Of
 * moving pictures the first frame is taken; widths that the picture does not have are left out.
 *
 * @param widths pixels
 * @throws Error for what cannot be unpacked, or is too large
 */
export async function resize(bytes: Buffer, widths: readonly number[]): Promise<Resized[]> {
  const { default: sharp } = await import('sharp');
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS }).autoOrient();
  const { autoOrient } = await picture.metadata();
  const made: Resized[] = [];
  for (const width of widths.filter((wanted) => wanted < autoOrient.width)) {
    const smaller = picture.clone().resize({ width }).webp({ quality: QUALITY });
    const { data, info } = await smaller.toBuffer({ resolveWithObject: true });
    made.push({ bytes: data, width: info.width, height: info.height });
  }
  return made;
}
