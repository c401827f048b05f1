import type { Role } from '@hearth/shared/roles';
import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { emailSchema } from '../../common/email.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';
import type { BulkResult } from '../invitation.view.ts';
import { inviteAll, type Invited } from './invite.service.ts';

/**
 * Invites several addresses. If an entry is not an e-mail address or cannot be invited, only this entry is refused.
 *
 * @returns a result for each entry, in the same order; `email_invalid` for a text that is not an e-mail address
 * @throws Refusal as `inviteAll`
 */
export async function inviteInBulk(
  backend: Backend,
  caller: Caller,
  teamId: string,
  entries: readonly { email: string; role: Role }[],
): Promise<BulkResult[]> {
  const requests = entries.map(({ email, role }) => ({ text: email, email: parseEmail(email), role }));
  const valid = requests.flatMap(({ email, role }) => (email === undefined ? [] : [{ email, role }]));
  const outcomes = await inviteAll(backend, caller, teamId, valid);
  return requests.map(({ text, email }) => {
    const outcome = email === undefined ? undefined : outcomes.shift();
    return resultOf(email ?? text, outcome ?? refusal('email_invalid'));
  });
}

function parseEmail(text: string): string | undefined {
  return emailSchema.safeParse(text).data;
}

function resultOf(email: string, outcome: Invited | Refusal): BulkResult {
  if (outcome instanceof Refusal) {
    return { email, status: outcome.status, error: outcome.message, code: outcome.code };
  }
  return { email, status: outcome.created ? 201 : 200, invitation: outcome.invitation };
}
