import { deflateRawSync } from 'node:zlib';
import { acceptedExtensions } from '@hearth/shared/file-kinds';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { fuzzBounds } from '../../testing/fuzz.ts';
import { contentTypes, impostors, samples, zip } from '../testing/samples.ts';
import { KINDS_WITH_SIGNATURE, fileKindOf, typeFitsKind, type FileKindWithSignature } from './kinds.ts';
import { bytesFitKind, isIdentifiedByHead } from './signature.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function kindNamed(extension: string): FileKindWithSignature {
  const kind = KINDS_WITH_SIGNATURE.get(extension);
  if (kind === undefined) throw new Error(`.${extension} is not a kind`);
  return kind;
}

const matches = (bytes: Buffer, extension: string) => bytesFitKind(bytes, kindNamed(extension));

/** Extension, the one sample of that kind, content type, disposition. */
const ACCEPTED: [string, keyof typeof samples, string, string][] = [
  ['jpg', 'jpeg', 'image/jpeg', 'inline'],
  ['jpeg', 'jpeg', 'image/jpeg', 'inline'],
  ['png', 'png', 'image/png', 'inline'],
  ['gif', 'gif', 'image/gif', 'inline'],
  ['webp', 'webp', 'image/webp', 'inline'],
  ['pdf', 'pdf', 'application/pdf', 'inline'],
  ['doc', 'doc', 'application/msword', 'attachment'],
  ['docx', 'docx', DOCX, 'attachment'],
  ['txt', 'txt', 'text/plain; charset=utf-8', 'attachment'],
];

/** Accepted if the settings say so. */
const MEDIA: typeof ACCEPTED = [
  ['mp4', 'mp4', 'video/mp4', 'inline'],
  ['webm', 'webm', 'video/webm', 'inline'],
  ['mov', 'mov', 'video/quicktime', 'inline'],
  ['mp3', 'mp3', 'audio/mpeg', 'inline'],
  ['wav', 'wav', 'audio/wav', 'inline'],
  ['ogg', 'ogg', 'audio/ogg', 'inline'],
  ['m4a', 'm4a', 'audio/mp4', 'inline'],
];

test('the extensions of media are accepted only if the settings allow media', () => {
  const always = ACCEPTED.map(([extension]) => extension);
  const media = MEDIA.map(([extension]) => extension);
  expect(acceptedExtensions({ uploadMedia: false })).toEqual(always);
  expect(acceptedExtensions({ uploadMedia: true })).toEqual([...always, ...media]);
  for (const extension of media) expect(fileKindOf(extension, { uploadMedia: false })).toBeUndefined();
});

/** The size of the largest request. */
const MAX_BYTES_READ_WHOLE = 32 * 1024 * 1024;

test('if a kind needs all bytes for the validation, its largest file fits into a request', () => {
  for (const kind of KINDS_WITH_SIGNATURE.values()) {
    if (!isIdentifiedByHead(kind)) expect(kind.maxBytes).toBeLessThanOrEqual(MAX_BYTES_READ_WHOLE);
  }
});

describe('a declared type', () => {
  test.each([
    ['png', 'image/png'],
    ['png', 'IMAGE/PNG; name="a.png"'],
    ['jpg', 'image/jpg'],
    ['mp3', 'audio/mp3'],
    ['txt', 'text/plain;charset=iso-8859-1'],
    // General types, as curl, old programs and parts without a type send them.
    ['pdf', 'application/octet-stream'],
    ['png', 'text/plain'],
    ['docx', ''],
  ])('fits .%s: %s', (extension, declared) => {
    expect(typeFitsKind(declared, kindNamed(extension))).toBe(true);
  });

  test.each([
    ['png', 'text/html'],
    ['png', 'image/jpeg'],
    ['png', 'image/svg+xml'],
    ['png', 'image/png, text/html'],
    ['txt', 'text/html'],
    ['txt', 'text/plain-x'],
    ['pdf', 'application/javascript'],
    ['mp4', 'audio/mpeg'],
  ])('does not fit .%s: %s', (extension, declared) => {
    expect(typeFitsKind(declared, kindNamed(extension))).toBe(false);
  });
});

test.each([
  'html',
  'htm',
  'svg',
  'xml',
  'js',
  'exe',
  'docm',
  'xls',
  'zip',
  'PNG',
  '',
  '__proto__',
  'constructor',
])('the extension "%s" is not accepted', (extension) => {
  expect(fileKindOf(extension, { uploadMedia: true })).toBeUndefined();
});

describe.each([...ACCEPTED, ...MEDIA])('.%s', (extension, own, contentType, disposition) => {
  test(`is served as ${contentType}, ${disposition}`, () => {
    expect(kindNamed(extension)).toMatchObject({ contentType, disposition });
  });

  test.each(Object.entries(samples))(
    'fits the bytes of %s only if they are of its kind',
    async (name, bytes) => {
      expect(await matches(bytes, extension)).toBe(name === own);
    },
  );

  test.each(Object.entries(impostors))(
    'does not fit %s, unless such bytes are harmless with this extension',
    async (name, bytes) => {
      const harmless: Record<string, string[]> = {
        gif: ['gifScript'],
        txt: ['html', 'svg', 'xmlSvg'],
      };
      expect(await matches(bytes, extension)).toBe(harmless[extension]?.includes(name) ?? false);
    },
  );

  test('does not fit bytes that are shorter than its signature', async () => {
    for (const length of [1, 2, 3]) expect(await matches(Buffer.alloc(length), extension)).toBe(false);
  });
});

describe('text', () => {
  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffGrüße')],
    ['tabs, form feeds and every line end', Buffer.from('a\tb\fc\r\nd\re\n')],
    ['a text that begins like a picture', Buffer.from('BMW and Audi')],
    ['a text that begins like a program', Buffer.from('MZ is a short name')],
    ['a text that begins like PostScript', Buffer.from('%! is a sign')],
    ['a text that begins like a 3D model', Buffer.from('solid ground')],
    ['a text that begins like a film', Buffer.from('Are free things free?')],
    ['a text that begins like music', Buffer.from('ID3 is a tag')],
    ['a calendar', Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')],
    ['a public key', Buffer.from('-----BEGIN PGP PUBLIC KEY BLOCK-----\n')],
  ])('may be %s', async (_case, bytes) => {
    expect(await matches(bytes, 'txt')).toBe(true);
  });

  test.each([
    ['Latin-1', Buffer.from('Grüße', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffGrüße', 'utf16le')],
    ['a NUL', Buffer.from('a\0b')],
    ['a half character at the end', Buffer.from('Grü').subarray(0, 3)],
    ['an overlong slash', Buffer.from([0xc0, 0xaf])],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ])('is not %s', async (_case, bytes) => {
    expect(await matches(bytes, 'txt')).toBe(false);
  });
});

/** Counts the bytes that are decompressed. The memory of the process would depend on the garbage collector. */
async function decompressedBy(work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  class Counting extends DecompressionStream {
    override get readable() {
      const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>(
        {
          transform: (chunk, controller) => {
            bytes += chunk.length;
            controller.enqueue(chunk);
          },
        },
        undefined,
        { highWaterMark: 0 },
      );
      return super.readable.pipeThrough(counter);
    }
  }
  vi.stubGlobal('DecompressionStream', Counting);
  try {
    await work();
  } finally {
    vi.unstubAllGlobals();
  }
  return bytes;
}

test('decompressed bytes are counted', async () => {
  const packed = new Blob([new Uint8Array(deflateRawSync(Buffer.alloc(5_000_000)))]);
  const decompress = () =>
    new Response(packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
  expect(await decompressedBy(decompress)).toBe(5_000_000);
});

describe('an archive', () => {
  const MB = 1024 * 1024;
  const document = `${DOCX}.main+xml`;
  const word = { name: 'word/document.xml', bytes: Buffer.from('<w:document/>') };

  test.each([
    ['is recognized by its parts in any order', [word, contentTypes(document)], true],
    ['may store its parts uncompressed', [{ ...contentTypes(document), compressed: false }, word], true],
    ['without parts of Word is recognized by its description', [contentTypes(document)], true],
    ['is not recognized by a folder named word', [word], false],
  ])('%s', async (_case, entries, expected) => {
    expect(await matches(zip(entries), 'docx')).toBe(expected);
  });

  test('that is cut off anywhere is not recognized by a folder named word', async () => {
    const whole = zip([word, { name: 'a', bytes: Buffer.from('a') }]);
    for (let length = 1; length < whole.length; length++) {
      expect(await matches(whole.subarray(0, length), 'docx'), `after ${length} bytes`).toBe(false);
    }
  });

  test.each([
    ['in its description', [contentTypes(document, 50 * MB), word]],
    ['before its description', [{ name: 'a', bytes: Buffer.alloc(50 * MB) }, contentTypes(document)]],
    ['in a file that file-type reads', [{ name: 'mimetype', bytes: Buffer.alloc(50 * MB) }]],
    [
      'in 3,000 parts',
      Array.from({ length: 3000 }, (_, index) => ({ name: `${index}`, bytes: Buffer.alloc(10_000) })),
    ],
  ])('with 50 MB %s is never decompressed into memory', async (_case, entries) => {
    const bomb = zip(entries);
    expect(bomb.length).toBeLessThan(MB);
    expect(await decompressedBy(() => matches(bomb, 'docx'))).toBeLessThan(2 * MB);
  });

  test('with wrong sizes is never decompressed into memory', async () => {
    const bomb = zip([contentTypes(document, 50 * MB), word]);
    // The uncompressed size in the local header: 100 bytes instead of 50 MB.
    bomb.writeUInt32LE(100, 22);
    expect(await decompressedBy(() => matches(bomb, 'docx'))).toBeLessThan(2 * MB);
  });

  test('that is cut off anywhere never throws', async () => {
    for (let length = 0; length < samples.docx.length; length++) {
      await matches(samples.docx.subarray(0, length), 'docx');
    }
  });
});

test('a damaged file of any kind is validated and never throws or hangs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values({ ...samples, ...impostors })),
      fc.constantFrom('png', 'docx', 'doc', 'txt'),
      fc.array(fc.tuple(fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 6 })), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.nat(1000),
      async (bytes, extension, edits, length) => {
        const damaged = Buffer.from(bytes.subarray(0, Math.max(length, 1)));
        for (const [at, values] of edits)
          damaged.set(values.slice(0, damaged.length), at % Math.max(1, damaged.length - values.length));
        expect(await matches(damaged, extension)).toBeTypeOf('boolean');
      },
    ),
    fuzzBounds(5_000),
  );
});
