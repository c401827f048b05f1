import * as z from 'zod';
import { roleSchema } from '../teams/team.schema.ts';

/** Bounds what one request mails and one transaction writes. */
const MOST_AT_ONCE = 50;

export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** Longer than any address. What is none is told in its own result, and spares the rest of a pasted list. */
const text = z.string().max(320);

export const singleSchema = z.strictObject({ email: emailSchema, role: roleSchema });

const addressesSchema = z
  .strictObject({ emails: z.array(text).min(1).max(MOST_AT_ONCE), role: roleSchema })
  .transform(({ emails, role: shared }) => emails.map((email) => ({ email, role: shared })));

const listSchema = z
  .strictObject({
    invitations: z
      .array(z.strictObject({ email: text, role: roleSchema }))
      .min(1)
      .max(MOST_AT_ONCE),
  })
  .transform(({ invitations }) => invitations);

/** Every body that invites. */
export const inviteSchema = z.union([singleSchema, addressesSchema, listSchema]);

/** The schema for a body that invites several, or undefined for one that does not: the messages then fit what was meant. */
export function bulkSchemaFor(body: unknown) {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('emails' in body) return addressesSchema;
  return 'invitations' in body ? listSchema : undefined;
}

/** How many addresses a body asks to mail, at least one; it may not have been validated yet. */
export function countAddresses(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 1;
  const lists = ['emails', 'invitations'].map((name): unknown => Reflect.get(body, name));
  const sizes = lists.map((list) => (Array.isArray(list) ? list.length : 1));
  return Math.min(Math.max(1, ...sizes), MOST_AT_ONCE);
}
