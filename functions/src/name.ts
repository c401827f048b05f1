import * as z from 'zod';

/** What a user or a team is called. One line, for it ends in subjects of mails and in lists; and text that UTF-8 can hold. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line of text');
