import { expect, it } from 'vitest';
import { acceptedExtensions } from '../../../functions/src/uploads/files/kinds.ts';
import { ACCEPTED_FILES } from './file-kinds.ts';

it('offers the files that the backend accepts', () => {
  expect(ACCEPTED_FILES.split(',')).toEqual(
    acceptedExtensions({ uploadMedia: false }).map((extension) => `.${extension}`),
  );
});
