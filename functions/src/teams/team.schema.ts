import { ROLES } from '@hearth/shared/roles';
import * as z from 'zod';
import { DOCUMENT_ID } from '../firestore/document-id.ts';
import type { RefusalCode } from '../refusals/refusals.ts';

/** `newId` generates ids of letters and digits. A text of another form cannot be the id of a team. */
export const teamIdSchema = z.string().regex(/^[A-Za-z0-9]{1,64}$/, 'is not a team id');

/** Firebase Auth also accepts uids of another form, but such a uid cannot be the id of a document. */
export const uidSchema = z.string().regex(DOCUMENT_ID, 'is not a user id');

export const roleSchema = z.enum(ROLES).meta({ id: 'Role' });

export const teamParams = z.object({ teamId: teamIdSchema });

/** Codes that `authorize` throws for a route about a team. */
export const TEAM_REFUSALS = ['forbidden', 'team_not_found'] as const satisfies readonly RefusalCode[];
