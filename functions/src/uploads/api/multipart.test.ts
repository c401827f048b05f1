import { describe, expect, test, onTestFinished } from 'vitest';
import { Refusal } from '../../refusals/refusals.ts';
import { BOUNDARY, disposition, fieldPart, filePart, form, type Form, type Part } from '../testing/forms.ts';
import { receiveFile } from './multipart.ts';

const LIMIT = 1000;

const receive = ({ headers, body }: Form, limit = LIMIT) => receiveFile(headers, body, limit);

/** The received name and size, or the status of the refusal. */
async function outcome(received: Promise<{ name: string; bytes: Buffer }>): Promise<string | number> {
  try {
    const { name, bytes } = await received;
    return `${name} (${bytes.length})`;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

const good = form([filePart('a.txt', 'content')]);

test('a file is received unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  expect(await receive(form([filePart('a.bin', bytes)]))).toEqual({
    name: 'a.bin',
    declaredType: 'text/html',
    bytes,
  });
});

test('bytes that resemble the boundary belong to the file', async () => {
  const body = `\r\n--${BOUNDARY.slice(0, -1)}\r\n\r\n--\r\n-- ${BOUNDARY}\r\n`;
  expect((await receive(form([filePart('a.txt', body)]))).bytes.toString()).toBe(body);
});

test.each(['a"b', 'a\\b'])('a boundary in quotes is accepted: %s', async (boundary) => {
  const { body } = form([filePart('a.txt', 'content')], boundary);
  const quoted = boundary.replace(/["\\]/g, '\\$&');
  const headers = { 'content-type': `multipart/form-data; boundary="${quoted}"` };
  expect(await outcome(receive({ headers, body }))).toBe('a.txt (7)');
});

describe('the body', () => {
  test.each<[string, Partial<Form['headers']>, Buffer | undefined, number]>([
    ['that is missing', good.headers, undefined, 400],
    ['that is empty', good.headers, Buffer.alloc(0), 400],
    ['without a type', { 'content-type': undefined }, good.body, 415],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, good.body, 400],
    ['with an empty boundary', { 'content-type': 'multipart/form-data; boundary=' }, good.body, 400],
    ['with an empty quoted boundary', { 'content-type': 'multipart/form-data; boundary=""' }, good.body, 400],
    ['with another boundary', { 'content-type': 'multipart/form-data; boundary=other' }, good.body, 400],
    [
      'that is another multipart',
      { 'content-type': `multipart/mixed; boundary=${BOUNDARY}` },
      good.body,
      415,
    ],
    [
      'of a type that only begins like it',
      { 'content-type': 'multipart/form-data-x; boundary=x' },
      good.body,
      415,
    ],
    ['that is JSON', { 'content-type': 'application/json' }, good.body, 415],
    ['of form fields', { 'content-type': 'application/x-www-form-urlencoded' }, Buffer.from('file=a'), 415],
  ])('%s', async (_case, headers, body, status) => {
    expect(await outcome(receiveFile(headers, body, LIMIT))).toBe(status);
  });

  test.each([
    [70, 'a.txt (7)'],
    [71, 400],
    [300, 400],
    [8000, 400],
  ])('with a boundary of %s characters, of which 70 are allowed', async (length, expected) => {
    expect(await outcome(receive(form([filePart('a.txt', 'content')], 'b'.repeat(length))))).toBe(expected);
  });
});

describe('a form', () => {
  test.each<[string, Part[], string | number]>([
    ['without parts', [], 400],
    ['of one field', [fieldPart('file')], 400],
    ['of two files', [filePart('a.txt', 'a'), filePart('b.txt', 'b')], 400],
    ['of two files, the second elsewhere', [filePart('a.txt', 'a'), filePart('b.txt', 'b', 'more')], 400],
    ['of two files, the first elsewhere', [filePart('a.txt', 'a', 'more'), filePart('b.txt', 'b')], 400],
    ['with the file in another field', [filePart('a.txt', 'a', 'upload')], 400],
    ['with the file in FILE', [filePart('a.txt', 'a', 'FILE')], 400],
    ['with the file in file[]', [filePart('a.txt', 'a', 'file[]')], 400],
    ['with the file in __proto__', [filePart('a.txt', 'a', '__proto__')], 400],
    ['with a field before', [fieldPart('note'), filePart('a.txt', 'a')], 'a.txt (1)'],
    ['with a field behind', [filePart('a.txt', 'a'), fieldPart('note')], 'a.txt (1)'],
    ['with the field __proto__', [fieldPart('__proto__'), filePart('a.txt', 'a')], 'a.txt (1)'],
    ['with a deep field', [fieldPart(`a${'[a]'.repeat(3000)}`), filePart('a.txt', 'a')], 'a.txt (1)'],
    ['with a long field', [fieldPart('note', 'x'.repeat(1e6)), filePart('a.txt', 'a')], 'a.txt (1)'],
    ['of too many fields', [...Array<Part>(30).fill(fieldPart('note')), filePart('a.txt', 'a')], 400],
    [
      'with too many fields behind',
      [filePart('a.txt', 'a'), ...Array<Part>(30).fill(fieldPart('note'))],
      400,
    ],
    [
      'of too many parts without a name',
      [...Array<Part>(30).fill({ headers: ['X: y'] }), filePart('a.txt', 'a')],
      400,
    ],
    ['with an empty file', [filePart('a.txt', '')], 'a.txt (0)'],
  ])('%s', async (_case, parts, expected) => {
    expect(await outcome(receive(form(parts)))).toBe(expected);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test('a form that is cut off within a file of another field is refused, and no error escapes', async () => {
  const escaped: unknown[] = [];
  const note = (error: unknown) => escaped.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => {
    process.off('uncaughtException', note);
  });
  const { headers, body } = form([filePart('a.txt', 'content', 'other')]);
  for (let length = 1; length < body.length; length++) {
    const broken = { headers, body: body.subarray(0, length) };
    expect(await outcome(receive(broken)), `after ${length} bytes`).toBe(400);
    // Streams report late errors in the next turn of the event loop.
    await new Promise(setImmediate);
  }
  expect(escaped).toEqual([]);
});

describe('a part', () => {
  const headers = (...lines: string[]): Part => ({ headers: lines, body: 'content' });
  test.each<[string, Part, string | number]>([
    ['without headers', headers(), 400],
    ['without disposition', headers('Content-Type: text/plain'), 400],
    ['with an empty disposition', headers('Content-Disposition:'), 400],
    ['that is an attachment', disposition('attachment; name="file"; filename="a.txt"'), 400],
    ['without name (CVE-2025-48997)', disposition('form-data; filename="a.txt"'), 400],
    ['with an empty name (CVE-2025-48997)', disposition('form-data; name=""; filename="a.txt"'), 400],
    ['with no file name', disposition('form-data; name="file"'), 400],
    ['with an empty file name', filePart('', 'content'), 400],
    [
      'of bytes without file name',
      headers('Content-Disposition: form-data; name="file"', 'Content-Type: application/octet-stream'),
      400,
    ],
    ['with an unclosed quote', disposition('form-data; name="file"; filename="a.txt'), 400],
    ['with a nameless parameter', disposition('form-data; name="file"; ="a.txt"'), 400],
    ['with a malformed filename*', disposition(`form-data; name="file"; filename*=utf-8''a%GG.txt`), 400],
    ['with a filename* without charset', disposition('form-data; name="file"; filename*=a.txt'), 400],
    [
      'with a filename* of an unknown charset',
      disposition(`form-data; name="file"; filename*=x''a.txt`),
      400,
    ],
    [
      'with a good filename*',
      disposition(`form-data; name="file"; filename*=utf-8''%E2%82%AC.txt`),
      '€.txt (7)',
    ],
    [
      'with two file names',
      disposition('form-data; name="file"; filename="a.txt"; filename="b.html"'),
      'a.txt (7)',
    ],
    [
      'with filename and filename*',
      disposition(`form-data; name="file"; filename="a.html"; filename*=utf-8''b.txt`),
      'b.txt (7)',
    ],
    ['with two dispositions', headers(good1(), 'Content-Disposition: form-data; name="x"'), 'a.txt (7)'],
    ['with a leading space (CVE-2022-24434)', headers(` ${good1()}`), 400],
    ['with a header without colon', headers(good1(), 'broken'), 400],
    ['with a header without name', headers(good1(), ': value'), 400],
    [
      'with a NUL in a header',
      headers('Content-Disposition: form-data; name="file"; filename="a\0.txt"'),
      400,
    ],
    ['with a line feed alone in a header', headers(`${good1()}\nX: y`), 400],
    ['with a header of 20 kB', headers(good1(), `X: ${'y'.repeat(20_000)}`), 400],
    ['with 3,000 headers', headers(good1(), ...Array<string>(3000).fill('X: y')), 400],
    [
      'with a continued header',
      headers('Content-Disposition: form-data;\r\n name="file"; filename="a.txt"'),
      'a.txt (7)',
    ],
  ])('%s', async (_case, part, expected) => {
    expect(await outcome(receive(form([part])))).toBe(expected);
  });

  function good1() {
    return 'Content-Disposition: form-data; name="file"; filename="a.txt"';
  }
});

describe('a file name', () => {
  test.each([
    ['Grüße 日本語 🎉.txt', 'Grüße 日本語 🎉.txt'],
    ['a%0D%0A%22.txt', 'a%0D%0A%22.txt'],
    ['../../etc/a.txt', 'a.txt'],
    ['..\\..\\a.txt', 'a.txt'],
    ['C:\\Users\\a.txt', 'a.txt'],
    ['a;b=c.txt', 'a;b=c.txt'],
  ])('%s arrives as %s', async (sent, name) => {
    expect((await receive(form([filePart(sent, 'content')]))).name).toBe(name);
  });

  test.each(['.', '..', 'a/', 'a\\', '/', '../..'])('%s is refused', async (sent) => {
    expect(await outcome(receive(form([filePart(sent, 'content')])))).toBe(400);
  });
});

describe('the size', () => {
  test.each([
    [1, `a.txt (1)`],
    [LIMIT - 1, `a.txt (${LIMIT - 1})`],
    [LIMIT, `a.txt (${LIMIT})`],
    [LIMIT + 1, 413],
    [LIMIT + 2, 413],
    [100 * LIMIT, 413],
  ])('is limited to 1000 bytes: a file of %s bytes', async (size, expected) => {
    expect(await outcome(receive(form([filePart('a.txt', Buffer.alloc(size, 'a'))])))).toBe(expected);
  });

  test('may reach the largest configurable limit, and the file is not copied', async () => {
    const limit = 31 * 1024 * 1024;
    const large = form([filePart('a.txt', Buffer.alloc(limit, 'a'))]);
    const { bytes } = await receive(large, limit);
    expect(bytes.length).toBe(limit);
    expect(bytes.buffer).toBe(large.body.buffer);
  });
});

test('a form with 200,000 empty parts is refused, and takes little memory', async () => {
  const part = Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`);
  const body = Buffer.concat([...Array<Buffer>(200_000).fill(part), Buffer.from(`--${BOUNDARY}--\r\n`)]);
  const before = process.memoryUsage();
  expect(await outcome(receive({ headers: good.headers, body }))).toBe(400);
  const after = process.memoryUsage();
  expect(body.length).toBeGreaterThan(14_000_000);
  // Without a limit of parts this needs 440 MB.
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(60_000_000);
});
