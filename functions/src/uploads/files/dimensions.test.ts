import sharp from 'sharp';
import { expect, test } from 'vitest';
import { impostors, samples } from '../testing/samples.ts';
import { dimensionsOf } from './dimensions.ts';
import { KINDS_WITH_SIGNATURE, type FileKindWithSignature } from './kinds.ts';

function kindNamed(extension: string): FileKindWithSignature {
  const kind = KINDS_WITH_SIGNATURE.get(extension);
  if (kind === undefined) throw new Error(`There is no kind .${extension}`);
  return kind;
}

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('the size of a picture is read: %s', async (format) => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();
  expect(await dimensionsOf(bytes, kindNamed(format))).toEqual({ width: 30, height: 20 });
});

test('the size of a rotated picture is the size as shown', async () => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(await dimensionsOf(bytes, kindNamed('jpg'))).toEqual({ width: 20, height: 30 });
});

test('another kind of file, or a damaged picture, has no size', async () => {
  expect(await dimensionsOf(samples.pdf, kindNamed('pdf'))).toBeUndefined();
  for (const bytes of [samples.png.subarray(0, 20), samples.jpeg.subarray(0, 30), impostors.asfLoop]) {
    expect(await dimensionsOf(bytes, kindNamed('png'))).toBeUndefined();
  }
});
