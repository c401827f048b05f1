import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { resize } from './resize.ts';

/** A picture, of which a camera that was held upright may say so. */
const photo = (width: number, height: number, orientation?: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .withMetadata(orientation === undefined ? {} : { orientation })
    .jpeg()
    .toBuffer();

const sizes = (made: { width: number; height: number }[]) => made.map(({ width, height }) => [width, height]);

test('the copies keep the proportions, as WebP', async () => {
  const made = await resize(await photo(400, 200), [100, 200]);
  expect(sizes(made)).toEqual([
    [100, 50],
    [200, 100],
  ]);
  for (const { bytes, width } of made) {
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width });
  }
});

test('nothing is made larger than it is', async () => {
  expect(sizes(await resize(await photo(100, 50), [50, 100, 200]))).toEqual([[50, 25]]);
});

test('what the camera turned is turned, and nothing that it noted is kept', async () => {
  const [turned] = await resize(await photo(400, 200, 6), [100]);
  expect([turned?.width, turned?.height]).toEqual([100, 200]);
  const metadata = await sharp(turned?.bytes).metadata();
  expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
});

test('a bomb of pixels is not unpacked', async () => {
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'red' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  await expect(resize(bomb, [100])).rejects.toThrow(/pixel limit/);
});

describe('of 35 megapixels, 105 MB of memory, a picture', () => {
  const picture = () => sharp({ create: { width: 7_000, height: 5_000, channels: 3, background: 'teal' } });

  test('is unpacked', async () => {
    expect(sizes(await resize(await picture().jpeg().toBuffer(), [70]))).toEqual([[70, 50]]);
  });

  test.each([
    ['that lies on its side', () => picture().withMetadata({ orientation: 6 }).jpeg()],
    ['that comes in passes', () => picture().jpeg({ progressive: true })],
    ['of 16 bits a sample', () => picture().toColourspace('rgb16').png({ compressionLevel: 1 })],
  ])('%s takes twice as much, and is not', async (_what, made) => {
    await expect(resize(await made().toBuffer(), [70])).rejects.toThrow(/210000000 bytes/);
  });
});

test('a damaged picture throws', async () => {
  await expect(resize((await photo(400, 200)).subarray(0, 100), [100])).rejects.toThrow();
});
