import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { resize } from './resize.ts';

/** A photo, with an EXIF orientation if the camera was rotated. */
const photo = (width: number, height: number, orientation?: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .withMetadata(orientation === undefined ? {} : { orientation })
    .jpeg()
    .toBuffer();

const sizes = (made: { width: number; height: number }[]) => made.map(({ width, height }) => [width, height]);

test('the copies are WebP and keep the proportions', async () => {
  const made = await resize(await photo(400, 200), [100, 200]);
  expect(sizes(made)).toEqual([
    [100, 50],
    [200, 100],
  ]);
  for (const { bytes, width } of made) {
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width });
  }
});

test('no copy is larger than the picture', async () => {
  expect(sizes(await resize(await photo(100, 50), [50, 100, 200]))).toEqual([[50, 25]]);
});

test('a rotated photo is turned, and its EXIF data is removed', async () => {
  const [turned] = await resize(await photo(400, 200, 6), [100]);
  expect([turned?.width, turned?.height]).toEqual([100, 200]);
  const metadata = await sharp(turned?.bytes).metadata();
  expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
});

test('a picture with too many pixels is not decoded', async () => {
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'red' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  await expect(resize(bomb, [100])).rejects.toThrow(/pixel limit/);
});

describe('a picture of 35 megapixels, 105 MB of memory,', () => {
  const picture = () => sharp({ create: { width: 7_000, height: 5_000, channels: 3, background: 'teal' } });

  test('is decoded', async () => {
    expect(sizes(await resize(await picture().jpeg().toBuffer(), [70]))).toEqual([[70, 50]]);
  });

  test.each([
    ['that is rotated', () => picture().withMetadata({ orientation: 6 }).jpeg()],
    ['that is progressive', () => picture().jpeg({ progressive: true })],
    ['of 16 bits per sample', () => picture().toColourspace('rgb16').png({ compressionLevel: 1 })],
  ])('%s needs twice as much, and is not decoded', async (_what, made) => {
    await expect(resize(await made().toBuffer(), [70])).rejects.toThrow(/210000000 bytes/);
  });
});

test('a damaged picture throws', async () => {
  await expect(resize((await photo(400, 200)).subarray(0, 100), [100])).rejects.toThrow();
});
