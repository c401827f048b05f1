import { expect, it } from 'vitest';
import { ACCEPTED_EXTENSIONS } from '../../../functions/src/uploads/kinds.ts';
import { ACCEPTED_FILES } from './file-kinds.ts';

it('offers the files that the backend accepts', () => {
  expect(ACCEPTED_FILES.split(',')).toEqual(ACCEPTED_EXTENSIONS.map((extension) => `.${extension}`));
});
