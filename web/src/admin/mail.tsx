import type { AdminMail, AdminMailKind, AdminUser } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest } from '../backend/source.ts';
import { formatTime } from '../format.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Failure, Loading } from '../ui/message.tsx';
import { adminTexts } from './texts.ts';

interface MailProps {
  user: AdminUser['user'];
  change: (work: () => Promise<void>) => Promise<void>;
}

const KINDS: readonly AdminMailKind[] = ['verification', 'password_reset', 'welcome'];

/** The latest mail to a user with its state, and the ways to send mail again. */
export function MailOfUser({ user, change }: MailProps) {
  const { mail: texts, sendMail } = adminTexts();
  const { uid } = user;
  const key = `admin mail ${uid}`;
  const found = useRequest(key, (signal) => hearth.admin.mail(uid, { signal }));
  const act = async (work: () => Promise<void>) => {
    await change(work);
    refresh(key);
    return texts.done;
  };
  return (
    <>
      <h3>{texts.title}</h3>
      {found.state === 'failed' && <Failure error={found.error} />}
      {found.state === 'loading' && <Loading what={texts.what} />}
      {found.state === 'ready' && <MailList mail={found.value} act={act} />}
      <div class="actions">
        {KINDS.map((kind) => (
          <Confirm
            key={kind}
            kind="link"
            label={sendMail[kind]}
            title={sendMail.title(sendMail[kind])}
            confirm={texts.confirm}
            onConfirm={() => act(() => hearth.admin.sendMail(uid, kind))}
          >
            {sendMail.effect(user.email ?? undefined)}
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

/** Mail with its state, and a way to send one again. */
export function MailList({ mail, act }: MailListProps) {
  const { mail: texts, resendMail } = adminTexts();
  if (mail.length === 0) return <p class="muted">{texts.none}</p>;
  return (
    <ul class="rows">
      {mail.map((one) => (
        <li class="row" key={one.id}>
          <span class="row-text wrap">
            {one.subject ?? texts.noSubject}: {stateOf(one)}
          </span>
          {one.at !== null && <span class="muted small">{formatTime(new Date(one.at))}</span>}
          {isFinal(one) && (
            <Confirm
              kind="link"
              label={resendMail.label}
              about={one.subject ?? one.id}
              title={resendMail.title}
              confirm={texts.confirm}
              onConfirm={() => act(() => hearth.admin.resendMail(one.id))}
            >
              {resendMail.effect}
            </Confirm>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The state of a mail in words. */
function stateOf({ state, error }: AdminMail): string {
  const texts = adminTexts().mail;
  if (state === 'SUCCESS') return texts.sent;
  return isFinal({ state }) ? texts.failed(error ?? '') : texts.onItsWay;
}

/** True for a mail that is not sent again by itself. */
function isFinal({ state }: Pick<AdminMail, 'state'>): boolean {
  return state === 'SUCCESS' || state === 'ERROR' || state === 'DAMAGED';
}
