import * as z from 'zod';
import type { Mail } from '../firestore/documents/mail.ts';

/** Another program may have written the mail. */
const shownFieldsSchema = z.object({
  to: z.array(z.string()).catch([]),
  message: z.object({ subject: z.string().nullable().catch(null) }).catch({ subject: null }),
});

/**
 * The fields of a mail that anybody but its recipients may see. The text is left out: its links have secrets, such as
 * the code with which a new password is set.
 */
export function shownFieldsOf(mail: Mail): { to: string[]; subject: string | null } {
  const { to, message } = shownFieldsSchema.parse(mail);
  return { to, subject: message.subject };
}
