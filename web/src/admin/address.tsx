import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest } from '../backend/source.ts';
import { Card } from '../ui/card.tsx';
import { Failure, Loading } from '../ui/message.tsx';
import { MailList } from './mail.tsx';
import { asOperator } from './operator.ts';
import { adminTexts } from './texts.ts';

/** Invitations and mail to an address that no account has. */
export function AddressCard({ email }: { email: string }) {
  const { address: texts, mail } = adminTexts();
  const key = `admin address ${email}`;
  const found = useRequest(key, async (signal) => {
    const [invitations, sent] = await Promise.all([
      hearth.admin.invitationsTo(email, { signal }),
      hearth.admin.mailTo(email, { signal }),
    ]);
    return { invitations, ...sent };
  });
  if (found.state === 'failed') return <Failure error={found.error} />;
  if (found.state === 'loading') return <Loading what={mail.what} />;
  const { invitations, mailRecipient } = found.value;
  const act = async (work: () => Promise<void>) => {
    await asOperator(work);
    refresh(key);
    return mail.done;
  };
  return (
    <Card title={email}>
      {mailRecipient !== null && mailRecipient['optedOutAt'] !== null && <p>{texts.optedOut}</p>}
      <h3>{texts.invitations}</h3>
      {invitations.length === 0 && <p class="muted">{texts.noInvitations}</p>}
      <ul class="rows">
        {invitations.map(({ id, teamName, status }) => (
          <li class="row" key={id}>
            <span class="row-text wrap">{texts.invitation(String(teamName), String(status))}</span>
          </li>
        ))}
      </ul>
      <h3>{mail.title}</h3>
      <MailList mail={found.value.mail} act={act} />
    </Card>
  );
}
