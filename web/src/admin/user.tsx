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
import { adminTexts } from './texts.ts';

/** A user with everything that an operator may do for them. */
export function UserCard({ uid, onDeleted }: { uid: string; onDeleted: () => void }) {
  const key = `admin user ${uid}`;
  const found = useRequest(key, (signal) => hearth.admin.user(uid, { signal }));
  if (found.state === 'failed') return <Failure error={found.error} />;
  if (found.state === 'loading') return <Loading what={adminTexts().user.what} />;
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
  const { user: texts, seeAs: seeing } = adminTexts();
  const { user, plan, teams, sessions, uploads, account } = found;
  const name = user.email ?? user.uid;
  return (
    <Card title={name}>
      <Facts
        facts={[
          [texts.uid, user.uid],
          [texts.name, user.displayName ?? texts.noName],
          [texts.state, user.disabled ? texts.disabled : texts.enabled],
          [texts.verified, account['emailVerified'] === true ? texts.isVerified : texts.isNotVerified],
          [texts.plan, plan],
          [texts.teams, teams.map((team) => texts.teamAs(team.name, team.role)).join(', ') || texts.noTeams],
          [texts.sessions, String(sessions.length)],
          [texts.files, String(uploads.length)],
        ]}
      />
      <Actions found={found} change={change} onDeleted={onDeleted} />
      <Plan customerId={user.uid} comp={found.comp} change={change} />
      <MailOfUser user={user} change={change} />
      <Form kind="plain" submit={seeing.submit} onSubmit={(data) => seeAs(user.uid, textOf(data, 'reason'))}>
        <Field label={seeing.reason} name="reason" required minLength={3} hint={seeing.hint} />
      </Form>
      <Entries entries={found.auditEntries} />
    </Card>
  );
}

/** The changes of an account, each after a confirmation. */
function Actions({ found: { user }, change, onDeleted }: DetailsProps) {
  const { endSessions, exportUser, deleteUser } = adminTexts();
  const name = user.email ?? user.uid;
  return (
    <div class="actions">
      <Disabling user={user} change={change} />
      {user.email !== null && <Verifying uid={user.uid} email={user.email} change={change} />}
      <Confirm
        kind="link"
        label={endSessions.label}
        title={endSessions.title(name)}
        confirm={endSessions.confirm}
        onConfirm={() => change(() => hearth.admin.endSessions(user.uid))}
      >
        {endSessions.effect}
      </Confirm>
      <Confirm
        kind="danger-link"
        label={exportUser.label}
        title={exportUser.title(name)}
        confirm={exportUser.confirm}
        onConfirm={async () => {
          const file = `${user.uid}.json`;
          saveAs(file, await asOperator(() => hearth.admin.exportUser(user.uid)));
          return exportUser.done(file);
        }}
      >
        {exportUser.effect}
      </Confirm>
      <Confirm
        label={deleteUser.label}
        title={deleteUser.title(name)}
        confirm={deleteUser.confirm}
        onConfirm={async () => {
          await asOperator(() => hearth.admin.deleteUser(user.uid));
          onDeleted();
        }}
      >
        {deleteUser.effect}
      </Confirm>
    </div>
  );
}

interface DisablingProps extends Pick<DetailsProps, 'change'> {
  user: AdminUser['user'];
}

interface VerifyingProps {
  uid: string;
  /** The address that the operator sees. The account may have another one by now, which is then not verified. */
  email: string;
  change: DetailsProps['change'];
}

function Verifying({ uid, email, change }: VerifyingProps) {
  const { verify } = adminTexts();
  return (
    <Confirm
      kind="link"
      label={verify.label}
      title={verify.title(email)}
      confirm={verify.confirm}
      onConfirm={() => change(() => hearth.admin.changeUser(uid, { verifiedEmail: email }))}
    >
      {verify.effect}
    </Confirm>
  );
}

/** Disables an account, or enables a disabled one. */
function Disabling({ user, change }: DisablingProps) {
  const { enable, disable, disabledEffect } = adminTexts();
  const texts = user.disabled ? enable : disable;
  return (
    <Confirm
      kind="link"
      label={texts.label}
      title={texts.title(user.email ?? user.uid)}
      confirm={texts.confirm}
      onConfirm={() => change(() => hearth.admin.changeUser(user.uid, { disabled: !user.disabled }))}
    >
      {disabledEffect}
    </Confirm>
  );
}
