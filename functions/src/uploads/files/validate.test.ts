import { describe, expect, test } from 'vitest';
import { Refusal } from '../../refusals/refusals.ts';
import { impostors, samples } from '../testing/samples.ts';
import { validateBytes, validateDeclaredFile, type DeclaredFile } from './validate.ts';

const acceptance = { uploadMedia: false };
const MIB = 1024 * 1024;

const validate = (changes: Partial<DeclaredFile>) =>
  validateDeclaredFile({ name: 'a.png', declaredType: '', size: 1, ...changes }, acceptance);

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('a declaration is refused', () => {
  test.each<[string, Partial<DeclaredFile>, string]>([
    ['of an empty file', { size: 0 }, 'empty_file'],
    ['of an empty file of a kind that is not accepted', { name: 'a.exe', size: 0 }, 'empty_file'],
    ['with a content encoding', { contentEncoding: 'gzip' }, 'unsupported_media_type'],
    ['without a name', { name: '' }, 'no_file'],
    ['with an extension only', { name: '.png' }, 'no_file'],
    ['with dots only', { name: '..' }, 'no_file'],
    ['with an invisible name', { name: '\u202e' }, 'no_file'],
    ['without an extension', { name: 'a' }, 'unsupported_media_type'],
    ['of a page', { name: 'a.html' }, 'unsupported_media_type'],
    ['of a page that is named like a picture first', { name: 'a.png.html' }, 'unsupported_media_type'],
    ['of a drawing that can run scripts', { name: 'a.svg' }, 'unsupported_media_type'],
    ['of media, which the settings do not accept', { name: 'a.mp4' }, 'unsupported_media_type'],
    ['of a picture declared as a page', { declaredType: 'text/html' }, 'unsupported_media_type'],
    ['of a picture declared as another kind', { declaredType: 'image/jpeg' }, 'unsupported_media_type'],
    ['of a picture that is too large', { size: 25 * MIB + 1 }, 'payload_too_large'],
  ])('%s', (_what, changes, code) => {
    expect(codeOf(() => validate(changes))).toBe(code);
  });
});

describe('a declaration is valid', () => {
  test.each<[string, Partial<DeclaredFile>]>([
    ['with the size limit of its kind', { size: 25 * MIB }],
    ['with the content encoding "identity"', { contentEncoding: 'identity' }],
    ['with a general type', { declaredType: 'application/octet-stream' }],
    ['with another name of its type', { declaredType: 'image/x-png' }],
  ])('%s', (_what, changes) => {
    expect(codeOf(() => validate(changes))).toBeUndefined();
  });

  test('and its name is cleaned', () => {
    const { fileName, kind } = validate({ name: '../My photo.PNG' });
    expect(fileName).toEqual({ name: 'My photo.png', stem: 'My-photo', extension: 'png' });
    expect(kind.contentType).toBe('image/png');
  });
});

describe('bytes are refused', () => {
  test.each<[string, string, Buffer]>([
    ['a page', 'a.png', impostors.html],
    ['another kind of picture', 'a.png', samples.jpeg],
    ['a page after a character that reverses the name', 'a.html\u202e.png', impostors.html],
    ['a page behind an alternate data stream', 'a.png::$DATA', impostors.html],
    ['a document with macros', 'a.docx', impostors.docm],
  ])('%s as %j', async (_what, name, bytes) => {
    const declaration = validate({ name, size: bytes.length });
    await expect(validateBytes(bytes, declaration)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });
});

test('bytes of the declared kind are valid', async () => {
  await validateBytes(samples.png, validate({ size: samples.png.length }));
});
