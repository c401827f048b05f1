import type { AdminUser } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest } from '../backend/source.ts';
import { saveAs } from '../save-as.ts';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { Failure, Loading } from '../ui/message.tsx';
import { Entries, Facts, Plan } from './facts.tsx';
import { MailOfUser } from './mail.tsx';
import { asOperator, seeAs } from './operator.ts';

/** A user with everything that an operator may do for them. */
export function UserCard({ uid, onDeleted }: { uid: string; onDeleted: () => void }) {
  const key = `admin user ${uid}`;
  const found = useRequest(key, (signal) => hearth.admin.user(uid, { signal }));
  if (found.state === 'failed') return <Failure error={found.error} />;
  if (found.state === 'loading') return <Loading what="user" />;
  const change = async (work: () => Promise<void>) => {
    await asOperator(work);
    refresh(key);
  };
  return <Details found={found.value} change={change} onDeleted={onDeleted} />;
}

interface DetailsProps {
  found: AdminUser;
  change: (work: () => Promise<void>) => Promise<void>;
  onDeleted: () => void;
}

function Details({ found, change, onDeleted }: DetailsProps) {
  const { user, plan, teams, sessions, uploads, account } = found;
  const name = user.email ?? user.uid;
  return (
    <Card title={name}>
      <Facts
        facts={[
          ['Uid', user.uid],
          ['Name', user.displayName ?? 'none'],
          ['State', user.disabled ? 'disabled' : 'enabled'],
          ['Address verified', account['emailVerified'] === true ? 'yes' : 'no'],
          ['Plan', plan],
          ['Teams', teams.map((team) => `${team.name} (${team.role})`).join(', ') || 'none'],
          ['Sessions', String(sessions.length)],
          ['Files', String(uploads.length)],
        ]}
      />
      <Actions found={found} change={change} onDeleted={onDeleted} />
      <Plan customerId={user.uid} comp={found.comp} change={change} />
      <MailOfUser user={user} change={change} />
      <Form
        kind="plain"
        submit="See the service as this person"
        onSubmit={(data) => seeAs(user.uid, textOf(data, 'reason'))}
      >
        <Field
          label="Reason"
          name="reason"
          required
          minLength={3}
          hint="Kept in the audit log. Lasts 30 minutes."
        />
      </Form>
      <Entries entries={found.auditEntries} />
    </Card>
  );
}

/** The changes of an account, each after a confirmation. */
function Actions({ found: { user }, change, onDeleted }: DetailsProps) {
  const name = user.email ?? user.uid;
  return (
    <div class="actions">
      <Confirm
        kind="link"
        label={user.disabled ? 'Enable' : 'Disable'}
        title={`${user.disabled ? 'Enable' : 'Disable'} ${name}?`}
        confirm={user.disabled ? 'Enable the account' : 'Disable the account'}
        onConfirm={() => change(() => hearth.admin.changeUser(user.uid, { disabled: !user.disabled }))}
      >
        A disabled person is signed out and cannot sign in.
      </Confirm>
      <Confirm
        kind="link"
        label="Verify the address"
        title={`Verify the address of ${name}?`}
        confirm="Mark as verified"
        onConfirm={() => change(() => hearth.admin.changeUser(user.uid, { emailVerified: true }))}
      >
        Do this only if the person has proved in another way that the address is theirs.
      </Confirm>
      <Confirm
        kind="link"
        label="End all sessions"
        title={`End all sessions of ${name}?`}
        confirm="End the sessions"
        onConfirm={() => change(() => hearth.admin.endSessions(user.uid))}
      >
        The person has to sign in again everywhere.
      </Confirm>
      <Confirm
        kind="danger-link"
        label="Export personal data"
        title={`Export the data of ${name}?`}
        confirm="Download the data"
        onConfirm={async () => {
          saveAs(`${user.uid}.json`, await asOperator(() => hearth.admin.exportUser(user.uid)));
          return `The data is saved in ${user.uid}.json.`;
        }}
      >
        A file with everything that is stored about the person. Give it to nobody else. The audit log keeps
        that you exported it.
      </Confirm>
      <Confirm
        label="Delete"
        title={`Delete ${name}?`}
        confirm="Delete everything"
        onConfirm={async () => {
          await asOperator(() => hearth.admin.deleteUser(user.uid));
          onDeleted();
        }}
      >
        The account, its files and its subscription end. This cannot be undone.
      </Confirm>
    </div>
  );
}
