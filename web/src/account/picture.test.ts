import { expect, test } from 'vitest';
import { pictureIdOf } from './picture.ts';

const ID = '0123456789abcdef0123456789abcdef';
const urlOf = (name: string) =>
  `https://firebasestorage.googleapis.com/v0/b/demo.appspot.com/o/uploads%2Fuid%2F${ID}%2F${name}?alt=media&token=t`;

test.each(['profile-picture-1700000000000.webp', 'profile-picture-1700000000000.png'])(
  'the file %s was stored as a profile picture',
  (name) => {
    expect(pictureIdOf(urlOf(name))).toBe(ID);
  },
);

test.each([
  ['no picture', null],
  ['another file of the user', urlOf('holiday-1700000000000.png')],
  ['a file whose name only ends like that of a picture', urlOf('my-profile-picture-1700000000000.png')],
  ['a picture elsewhere', 'https://lh3.googleusercontent.com/a/profile-picture'],
])('%s is not deleted with the profile picture', (_case, url) => {
  expect(pictureIdOf(url)).toBeUndefined();
});
