import type { Metadata } from 'sharp';
import type { Dimensions } from './dimensions.ts';

/** Limit of the memory for a decoded picture. Larger pictures get no variants. */
const MAX_BYTES = 200_000_000;

/** Bytes per sample of a channel. https://www.libvips.org/API/current/enum.BandFormat.html */
const BYTES_PER_SAMPLE: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

const QUALITY = 80;

export interface Resized extends Dimensions {
  bytes: Buffer;
}

/**
 * Makes smaller copies of a picture as WebP, rotated by EXIF orientation, with all EXIF data (such as GPS) removed. An
 * animation is reduced to its first frame. Skips a width if the picture itself is not wider.
 *
 * @param widths pixels
 * @throws Error if the picture cannot be decoded or needs too much memory
 */
export async function resize(bytes: Buffer, widths: readonly number[]): Promise<Resized[]> {
  const { default: sharp } = await import('sharp');
  // A pixel has at least one byte, so the number of pixels has the same limit.
  const picture = sharp(bytes, { limitInputPixels: MAX_BYTES }).autoOrient();
  const metadata = await picture.metadata();
  const decoded = decodedBytes(metadata);
  if (decoded > MAX_BYTES) throw new Error(`The decoded picture needs ${decoded} bytes of memory.`);
  const made: Resized[] = [];
  for (const width of widths.filter((wanted) => wanted < metadata.autoOrient.width)) {
    const smaller = picture.clone().resize({ width }).webp({ quality: QUALITY });
    const { data, info } = await smaller.toBuffer({ resolveWithObject: true });
    made.push({ bytes: data, width: info.width, height: info.height });
  }
  return made;
}

/** A rotated or progressive picture is in memory twice. */
function decodedBytes({ width, height, channels, depth, orientation = 1, isProgressive }: Metadata): number {
  const bytes = width * height * channels * (BYTES_PER_SAMPLE[depth] ?? 8);
  return orientation > 4 || isProgressive ? 2 * bytes : bytes;
}
