import type { AdminMail, AdminMailKind, AdminUser } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest } from '../backend/source.ts';
import { formatTime } from '../format.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Failure, Loading } from '../ui/message.tsx';

interface MailProps {
  user: AdminUser['user'];
  change: (work: () => Promise<void>) => Promise<void>;
}

const KINDS: readonly (readonly [kind: AdminMailKind, label: string])[] = [
  ['verification', 'Mail a link to verify'],
  ['password_reset', 'Mail a link for a new password'],
  ['welcome', 'Mail the welcome'],
];

/** The latest mail to a user with its state, and the ways to send mail again. */
export function MailOfUser({ user, change }: MailProps) {
  const { uid } = user;
  const key = `admin mail ${uid}`;
  const found = useRequest(key, (signal) => hearth.admin.mail(uid, { signal }));
  const act = async (work: () => Promise<void>) => {
    await change(work);
    refresh(key);
    return 'The mail is on its way.';
  };
  return (
    <>
      <h3>Mail</h3>
      {found.state === 'failed' && <Failure error={found.error} />}
      {found.state === 'loading' && <Loading what="mail" />}
      {found.state === 'ready' && <MailList mail={found.value} act={act} />}
      <div class="actions">
        {KINDS.map(([kind, label]) => (
          <Confirm
            key={kind}
            kind="link"
            label={label}
            title={`${label}?`}
            confirm="Send the mail"
            onConfirm={() => act(() => hearth.admin.sendMail(uid, kind))}
          >
            It goes to {user.email ?? 'the address of the account'}, at most once in five minutes.
          </Confirm>
        ))}
      </div>
    </>
  );
}

interface MailListProps {
  mail: readonly AdminMail[];
  act: (work: () => Promise<void>) => Promise<string>;
}

function MailList({ mail, act }: MailListProps) {
  if (mail.length === 0) return <p class="muted">No mail of the last 30 days.</p>;
  return (
    <ul class="rows">
      {mail.map((one) => (
        <li class="row" key={one.id}>
          <span class="row-text wrap">
            {one.subject ?? 'No subject'}: {stateOf(one)}
          </span>
          {one.at !== null && <span class="muted small">{formatTime(new Date(one.at))}</span>}
          {isFinal(one) && (
            <Confirm
              kind="link"
              label="Send again"
              about={one.subject ?? one.id}
              title="Send this mail again?"
              confirm="Send the mail"
              onConfirm={() => act(() => hearth.admin.resendMail(one.id))}
            >
              It goes to the address that it went to before, within five minutes. Links in it may have
              expired.
            </Confirm>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The state of a mail in words. */
function stateOf({ state, error }: AdminMail): string {
  if (state === 'SUCCESS') return 'sent';
  return isFinal({ state }) ? `failed. ${error ?? ''}` : 'on its way';
}

/** True for a mail that is not sent again by itself. */
function isFinal({ state }: Pick<AdminMail, 'state'>): boolean {
  return state === 'SUCCESS' || state === 'ERROR' || state === 'DAMAGED';
}
