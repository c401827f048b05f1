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

const singleSchema = z.strictObject({ email: emailSchema, role: roleSchema });

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

/** Selects the schema that the client meant, so that its error messages fit the body. */
export function schemaFor(body: unknown) {
  if (typeof body !== 'object' || body === null) return singleSchema;
  if ('emails' in body) return addressesSchema;
  return 'invitations' in body ? listSchema : singleSchema;
}

/**
 * The number of addresses in a body. None for a body that is not valid: it sends nothing, so it must not count for the
 * limit of invitations.
 */
export function countAddresses(body: unknown): number {
  const { data } = schemaFor(body).safeParse(body);
  if (data === undefined) return 0;
  return Array.isArray(data) ? data.length : 1;
}
