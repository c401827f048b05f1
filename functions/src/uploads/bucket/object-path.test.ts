import { expect, test } from 'vitest';
import { nameOf, objectPath, parseObjectPath } from './object-path.ts';

const NOW = new Date(1_700_000_000_000);

test('a path is parsed into its parts', () => {
  const path = objectPath('uid', 'id', { name: 'a b.png', stem: 'a-b', extension: 'png' }, NOW);
  expect(path).toBe('uploads/uid/id/a-b-1700000000000.png');
  expect(parseObjectPath(path)).toEqual({
    folderId: 'uid',
    uploadId: 'id',
    fileName: 'a-b-1700000000000.png',
  });
});

test.each(['variants/uid/id/200.webp', 'uploads/uid/a.png', 'uploads/uid/id/a/b.png', 'uploads/uid/id/'])(
  '%s is not the path of an upload',
  (path) => {
    expect(parseObjectPath(path)).toBeUndefined();
  },
);

test.each([
  ['photo-1700000000000.png', 'photo.png'],
  ['a.tar-1700000000000.gz', 'a.tar.gz'],
  ['日本語-1700000000000.txt', '日本語.txt'],
  // Only a timestamp that was added.
  ['photo-1600000000000-1700000000000.png', 'photo-1600000000000.png'],
  ['photo-1.png', 'photo-1.png'],
  ['photo-20261121.png', 'photo-20261121.png'],
  ['photo1700000000000.png', 'photo1700000000000.png'],
  ['photo-1700000000000', 'photo-1700000000000'],
  ['photo-1700000000000.a.png', 'photo-1700000000000.a.png'],
  ['-1700000000000.png', '-1700000000000.png'],
])('the file name of the object %s is %s', (fileName, name) => {
  expect(nameOf({ folderId: 'uid', uploadId: 'id', fileName })).toBe(name);
});
