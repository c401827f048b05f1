import { expect, it } from 'vitest';
import { ACCEPTED_FILES } from './dropzone.tsx';

it('offers the files that the backend accepts, without media', () => {
  expect(ACCEPTED_FILES).toBe('.jpg,.jpeg,.png,.gif,.webp,.pdf,.doc,.docx,.txt');
});
