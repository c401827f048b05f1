import * as z from 'zod';

/** An e-mail address in a request, as it is stored: in lower case. */
export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());
