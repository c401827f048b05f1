import sharp from 'sharp';
import { expect, test } from 'vitest';
import { dimensionsOf } from './dimensions.ts';
import { KINDS, type Kind } from './kinds.ts';
import { impostors, samples } from '../testing/samples.ts';

function kindNamed(extension: string): Kind {
  const kind = KINDS.get(extension);
  if (kind === undefined) throw new Error(`.${extension} is no kind of ours`);
  return kind;
}

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('a picture tells its size: %s', async (format) => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();
  expect(await dimensionsOf(bytes, kindNamed(format))).toEqual({ width: 30, height: 20 });
});

test('a picture that the camera turned is told as it is shown', async () => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(await dimensionsOf(bytes, kindNamed('jpg'))).toEqual({ width: 20, height: 30 });
});

test('what is no picture, or a damaged one, tells none', async () => {
  expect(await dimensionsOf(samples.pdf, kindNamed('pdf'))).toBeUndefined();
  for (const bytes of [samples.png.subarray(0, 20), samples.jpeg.subarray(0, 30), impostors.asfLoop]) {
    expect(await dimensionsOf(bytes, kindNamed('png'))).toBeUndefined();
  }
});
