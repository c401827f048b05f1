import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm, requireTyped } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { uiTexts } from '../ui/texts.ts';
import { showToast } from '../ui/toasts.tsx';
import { isLastOwner, nameOf, type MemberDocument, type TeamDocument } from './documents.ts';
import { useMembers, useOwners } from './queries.ts';
import { teamTexts } from './texts.ts';

interface TeamSettingsProps {
  team: TeamDocument;
  uid: string;
  role: Role;
}

/** Renaming, handing over, leaving and deleting, as the visitor's role allows. */
export function TeamSettings({ team, uid, role }: TeamSettingsProps) {
  const members = valueOf(useMembers(can(role, 'team:transfer') ? team.id : undefined)) ?? [];
  const owners = valueOf(useOwners(team.id));
  const others = members.filter((member) => member.uid !== uid && member.uid !== team.ownerId);
  const isOnlyOwner = isLastOwner({ role }, owners);
  const isOffered = team.transfer ? team.transfer.expiresAt > new Date() : false;
  const texts = teamTexts().settings;
  return (
    <Card title={uiTexts().titles.teamSettings}>
      {can(role, 'team:update') && <Rename team={team} />}
      {can(role, 'team:transfer') && others.length > 0 && !isOffered && (
        <div class="actions">
          <Transfer team={team} others={others} />
        </div>
      )}
      <div class="actions divided">
        {isOnlyOwner && <p class="muted small">{texts.needsOwner}</p>}
        {!isOnlyOwner && (
          <Confirm
            kind="danger-link"
            label={texts.leave}
            title={texts.leaveTeam(team.name)}
            confirm={texts.leaveNow}
            onConfirm={async () => {
              await hearth.teams.removeMember(team.id, uid);
              forgetSignedIn();
              return texts.left(team.name);
            }}
          >
            {texts.leaveEffect}
          </Confirm>
        )}
        {can(role, 'team:delete') && (
          <Confirm
            kind="danger-link"
            label={texts.delete}
            title={texts.deleteTeam(team.name)}
            confirm={texts.deleteForAll}
            typed={{ label: texts.nameToDelete, name: team.name }}
            onConfirm={async () => {
              await hearth.teams.delete(team.id, { endSubscription: team.hasRunningSubscription === true });
              forgetSignedIn();
              return texts.deleted(team.name);
            }}
          >
            {texts.deleteEffect(team.hasRunningSubscription === true)}
          </Confirm>
        )}
      </div>
    </Card>
  );
}

function Rename({ team }: { team: TeamDocument }) {
  const texts = teamTexts().settings;
  const rename = async (data: FormData) => {
    await hearth.teams.change(team.id, { name: textOf(data, 'name').trim() });
    forgetSignedIn();
    return texts.renamed;
  };
  return (
    <Form class="inline-form" kind="plain" submit={texts.rename} onSubmit={rename}>
      <Field
        label={texts.name}
        name="name"
        required
        maxLength={100}
        defaultValue={team.name}
        autocomplete="off"
      />
    </Form>
  );
}

/** Two ways to share ownership, each of which waits for the consent of the member. */
const OFFERS = ['transfer', 'co-owner'] as const;

/**
 * Offers ownership in a dialog that names the member. An owner can delete the team, so the user types its name to
 * confirm.
 */
function Transfer({ team, others }: { team: TeamDocument; others: MemberDocument[] }) {
  const [uid, setUid] = useState('');
  const texts = teamTexts().transfer;
  const recipient = others.find((member) => member.uid === uid);
  const offer = async (data: FormData) => {
    requireTyped(team.name, textOf(data, 'confirmation'));
    const coOwner = textOf(data, 'kind') === 'co-owner';
    await hearth.teams.offerTransfer(team.id, { uid: textOf(data, 'uid'), coOwner });
    showToast(texts.offered);
  };
  const name = recipient === undefined ? undefined : nameOf(recipient);
  return (
    <Dialog label={texts.offer} title={texts.offerOf(team.name)}>
      {(close) => (
        <>
          <p class="muted">{texts.lead}</p>
          <Form submit={texts.offerTo(name)} onSubmit={offer}>
            <Select
              label={texts.member}
              name="uid"
              required
              options={[
                ['', texts.chooseMember],
                ...others.map((member) => [member.uid, nameOf(member)] as const),
              ]}
              onSelect={setUid}
            />
            <Select
              label={texts.kind}
              name="kind"
              options={OFFERS.map((kind) => [kind, texts.kinds[kind]])}
            />
            <Field label={texts.nameToConfirm} name="confirmation" autocomplete="off" required />
          </Form>
          <div class="actions">
            <Button onClick={close}>{uiTexts().cancel}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
