import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { Mail } from '../../firestore/documents/mail.ts';
import type { Query } from '../../firestore/query.ts';
import { writeMail, type Message } from '../../mail/outbox.store.ts';
import type { BillingMail } from '../../mail/templates/billing.ts';
import { writePush } from '../../push/push.store.ts';
import type { Language } from '../../settings/languages.ts';
import { ownersOf } from '../../teams/members/member.store.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { isClosed } from '../customer-rules.ts';
import { withTeamQuery } from '../subject.ts';

export interface Notice {
  /** Identifies the mail: the same key is mailed once. */
  key: string;
  customerId: string;
  /** The name of the plan, or of the item that was bought. */
  itemName: string;
  /** True by default. */
  isMailed?: boolean;
  /** Undefined for a notice without push messages. */
  pushType?: string;
}

/** Writes the mail and the push messages of a notice. Writes nothing for a customer that is gone or being deleted. */
export async function notifyCustomer(
  backend: Backend,
  { key, customerId, itemName, isMailed = true, pushType }: Notice,
  makeMessage: (mail: BillingMail, language: Language) => Message,
): Promise<void> {
  const recipients = await recipientsOf(backend, customerId);
  if (recipients === undefined) return;
  const { addresses, uids, teamName, type } = recipients;
  const { config, db, now } = backend;
  const url = config.appUrl + withTeamQuery(config.portalReturnPath, { type, customerId });
  const message = makeMessage({ plan: itemName, teamName, billingUrl: url }, config.mailLanguage);
  const mails = isMailed ? addresses.map((to) => ({ to, message })) : [];
  const data = { type: pushType ?? '', url, customerId };
  const hasPushes = pushType !== undefined && config.pushMessages;
  const pushes = (hasPushes ? uids : []).map((uid, index) => ({
    id: `${key}-${index}`,
    to: { uid },
    body: message.subject,
    data,
  }));
  await db.run(async (tx) => {
    const wasMailed = mails.length > 0 && !(await mailWithKey(tx, key).isEmpty());
    if (wasMailed) return;
    // A sent push message is deleted, so a repeated event may send it again. The device replaces the earlier message.
    const isWaiting = await Promise.all(pushes.map(({ id }) => tx.pushes.exists(id)));
    for (const [index, mail] of mails.entries()) writeMail(tx, { id: `${key}-${index}`, ...mail }, now());
    for (const [index, push] of pushes.entries()) {
      if (isWaiting[index] !== true) writePush(tx, config, push, now());
    }
  });
}

/**
 * All mail of a notice. Looking for the first mail (`<key>-0`) is not enough: the deletion of an account may have
 * deleted it, while the mail to other owners stays.
 */
function mailWithKey(tx: Tx, key: string): Query<Mail> {
  // In ASCII `.` follows `-`, so this range has every id that begins with `<key>-`.
  return tx.mail.where('__name__', '>', `${key}-`).where('__name__', '<', `${key}.`);
}

/** The most owners of a team who get a notice. */
const MAX_OWNERS = 20;

interface Recipients {
  /** Lower case. Empty if nobody has a verified address. */
  addresses: string[];
  /** The user, or the owners of the team, for push messages. */
  uids: string[];
  type: CustomerDocument['type'];
  /** The name of the team; undefined for a user. */
  teamName: string | undefined;
}

/**
 * Mail goes to the user, or to the billing address of the team. If the team has no billing address, mail goes to its
 * owners. Makes at most one call to Firebase Auth.
 *
 * @returns undefined for a customer that does not exist or is being deleted
 */
async function recipientsOf(backend: Backend, customerId: string): Promise<Recipients | undefined> {
  const { config, db, now } = backend;
  const customer = await db.customers.getIntact(customerId);
  if (customer === undefined || isClosed(customer, now())) return undefined;
  if (customer.type === 'user') {
    const uids = [customerId];
    return { addresses: await verifiedAddresses(backend, uids), uids, teamName: undefined, type: 'user' };
  }
  const team = await db.teams.getIntact(customerId);
  if (team === undefined || isBeingDeleted(team)) return undefined;
  const { billingEmail, name: teamName } = team;
  if (billingEmail !== undefined && !config.pushMessages) {
    return { addresses: [billingEmail], uids: [], teamName, type: 'team' };
  }
  const uids = (await ownersOf(db, customerId).limit(MAX_OWNERS).findPaths()).map(({ id }) => id);
  const addresses = billingEmail === undefined ? await verifiedAddresses(backend, uids) : [billingEmail];
  return { addresses, uids, teamName, type: 'team' };
}

async function verifiedAddresses({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  const { users } = await auth.getUsers(uids.map((uid) => ({ uid })));
  const addresses = users
    .filter(({ emailVerified }) => emailVerified)
    .map(({ email }) => email?.toLowerCase());
  return [...new Set(addresses.filter((address) => address !== undefined))].sort();
}
