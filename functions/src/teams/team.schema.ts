import * as z from 'zod';
import { ROLES } from './roles.ts';

/** Firestore's own ids; anything else cannot be a team. */
export const teamIdSchema = z.string().regex(/^[A-Za-z0-9]{1,64}$/, 'is not a team id');

/** An id that Firebase Auth gives or takes, as far as it can name a document. */
export const uidSchema = z.string().regex(/^(?!\.{1,2}$|__.*__$)[^/]{1,128}$/, 'is not a user id');

export const roleSchema = z.enum(ROLES).meta({ id: 'Role' });
