import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../refusals/refusals.ts';
import { fuzzBounds } from '../../testing/fuzz.ts';
import { validateBytes, validateDeclaredFile } from '../files/validate.ts';
import { BOUNDARY, disposition, fieldPart, filePart, form, type Form } from '../testing/forms.ts';
import { impostors, samples } from '../testing/samples.ts';
import { receiveFile } from './multipart.ts';

/** An error that escapes would end the process in production. */
const escaped: unknown[] = [];
const note = (error: unknown) => escaped.push(error);
beforeAll(() => {
  process.on('uncaughtException', note).on('unhandledRejection', note);
});
afterAll(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
});

const LIMIT = 500;

const CORPUS: Form[] = [
  form([filePart('a.txt', 'content')]),
  form([fieldPart('note'), filePart('Grüße.png', samples.png), fieldPart('__proto__')]),
  form([filePart('a.gif', impostors.gifScript), filePart('b.gif', 'b')]),
  form([filePart('a.txt', Buffer.alloc(LIMIT + 1, `\r\n--${BOUNDARY}`.slice(0, -1)))]),
  form([disposition(`form-data; name="file"; filename="a"; filename*=utf-8''%E2%82%AC.txt`)]),
  form([fieldPart('note'), filePart('a.txt', 'content', 'other')]),
  form([disposition('form-data; filename="a.txt"'), { headers: [' folded: x'] }]),
];

/**
 * Settles as production sees it: a file, accepted or not, or a refusal that is the sender's fault. Anything else fails
 * the test.
 */
async function settle({ headers, body }: Form): Promise<'file' | number> {
  let outcome: 'file' | number | undefined;
  try {
    const file = await receiveFile(headers, body, LIMIT);
    const { name, bytes } = file;
    expect(name).not.toBe('');
    expect(bytes.length).toBeLessThanOrEqual(LIMIT);
    outcome = 'file';
    await validateBytes(bytes, validateDeclaredFile({ ...file, size: bytes.length }, { uploadMedia: true }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect([400, 413, 415]).toContain(error.status);
    outcome ??= error.status;
  }
  // Streams report late errors in the next turn of the event loop.
  await new Promise(setImmediate);
  expect(escaped).toEqual([]);
  return outcome;
}

test.each([
  ['the file', filePart('Grüße.txt', 'Grüße\r\n'), 'file'],
  ['a file in another field', filePart('a.txt', 'content', 'other'), 400],
  ['a file over the limit', filePart('a.txt', 'a'.repeat(LIMIT + 1)), 413],
])('a form with %s is refused if it is cut off anywhere', async (_what, part, whole) => {
  const { headers, body } = form([fieldPart('note'), part]);
  const complete = body.lastIndexOf('--') + '--'.length;
  for (let length = 0; length < complete; length++) {
    expect(await settle({ headers, body: body.subarray(0, length) }), `after ${length} bytes`).toBe(400);
  }
  expect(await settle({ headers, body: body.subarray(0, complete) })).toBe(whole);
});

const TOKENS = [
  '\r\n',
  '\r',
  '\n',
  '\0',
  '--',
  BOUNDARY,
  `--${BOUNDARY}`,
  '"',
  ';',
  ':',
  '=',
  '%',
  '\\',
  ' ',
  '\xff',
];

const insertion = fc.oneof(
  fc.constantFrom(...TOKENS).map((token) => Buffer.from(token, 'latin1')),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);

/** Replaces `removed` bytes at a place, given as a fraction of the length, by others. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 200 })),
  inserted: insertion,
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function apply(bytes: Buffer, { at, removed, inserted }: Edit): Buffer {
  const start = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + removed)]);
}

test('a damaged form is received or refused, and never hangs or throws', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CORPUS),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      fc.option(edit, { freq: 6 }),
      async ({ headers, body }, edits, headerEdit) => {
        const contentType = Buffer.from(headers['content-type'] ?? '');
        await settle({
          headers: {
            'content-type': (headerEdit ? apply(contentType, headerEdit) : contentType).toString('latin1'),
          },
          body: edits.reduce(apply, body),
        });
      },
    ),
    fuzzBounds(3_000),
  );
});
