import type { Metadata } from 'sharp';
import type { Dimensions } from './dimensions.ts';

/** Of the memory that a picture unpacks to. Larger ones get no smaller copies. */
const MAX_BYTES = 200_000_000;

/** Of one sample of a channel. https://www.libvips.org/API/current/enum.BandFormat.html */
const BYTES_PER_SAMPLE: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

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
  // No sample is smaller than a byte.
  const picture = sharp(bytes, { limitInputPixels: MAX_BYTES }).autoOrient();
  const metadata = await picture.metadata();
  const unpacked = unpackedBytes(metadata);
  if (unpacked > MAX_BYTES) throw new Error(`The picture takes ${unpacked} bytes of memory.`);
  const made: Resized[] = [];
  for (const width of widths.filter((wanted) => wanted < metadata.autoOrient.width)) {
    const smaller = picture.clone().resize({ width }).webp({ quality: QUALITY });
    const { data, info } = await smaller.toBuffer({ resolveWithObject: true });
    made.push({ bytes: data, width: info.width, height: info.height });
  }
  return made;
}

/** What lies on its side, or comes in passes, is held as a whole twice. */
function unpackedBytes({ width, height, channels, depth, orientation = 1, isProgressive }: Metadata): number {
  const bytes = width * height * channels * (BYTES_PER_SAMPLE[depth] ?? 8);
  return orientation > 4 || isProgressive ? 2 * bytes : bytes;
}
