import * as z from 'zod';
import { emailSchema } from '../../common/email.ts';
import { roleSchema } from '../../teams/team.schema.ts';

/** Limits the mails of one request and the writes of its transaction. */
const MAX_ADDRESSES = 50;

/**
 * An entry in a list of addresses. `inviteInBulk` validates the address, so that only an invalid entry is refused. The
 * limit is above the length of any address.
 */
const text = z.string().max(320);

export const singleSchema = z.strictObject({ email: emailSchema, role: roleSchema });

/** The body of a request for a shared invitation. The link can be forwarded, so the role cannot be `owner`. */
export const sharedSchema = z.strictObject({ role: roleSchema.exclude(['owner']).meta({ id: 'LinkRole' }) });

const addressesSchema = z
  .strictObject({ emails: z.array(text).min(1).max(MAX_ADDRESSES), role: roleSchema })
  .transform(({ emails, role: commonRole }) => emails.map((email) => ({ email, role: commonRole })));

const listSchema = z
  .strictObject({
    invitations: z
      .array(z.strictObject({ email: text, role: roleSchema }))
      .min(1)
      .max(MAX_ADDRESSES),
  })
  .transform(({ invitations }) => invitations);

/** The body of a request to invite: one address, or several. */
export const inviteSchema = z.union([singleSchema, addressesSchema, listSchema]);

/**
 * Selects the schema for a body with several addresses, so that its error messages fit the body; undefined for one
 * address.
 */
export function bulkSchemaFor(body: unknown) {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('emails' in body) return addressesSchema;
  return 'invitations' in body ? listSchema : undefined;
}

/** The number of addresses in a body, from 1 to `MAX_ADDRESSES`. Rate limits need it before the body is validated. */
export function countAddresses(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 1;
  const lists = ['emails', 'invitations'].map((name): unknown => Reflect.get(body, name));
  const sizes = lists.map((list) => (Array.isArray(list) ? list.length : 1));
  return Math.min(Math.max(1, ...sizes), MAX_ADDRESSES);
}
