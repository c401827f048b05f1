import * as z from 'zod';

/** Id of an upload: generated here, or chosen by a client that sends the file straight to Storage. */
export const uploadIdSchema = z.string().regex(/^[A-Za-z0-9]{20,64}$/, 'is not an upload id');
