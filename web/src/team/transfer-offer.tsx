import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { formatDate } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';
import { nameOf, type TeamDocument, type TransferDocument } from './documents.ts';
import { usePeople } from './queries.ts';
import { teamTexts } from './texts.ts';

interface TransferOfferProps {
  team: TeamDocument;
  uid: string;
  role: Role;
}

/** The open offer of a team: the recipient accepts or declines it, owners withdraw it, others do not see it. */
export function TransferOffer({ team, uid, role }: TransferOfferProps) {
  const offer = team.transfer;
  const members = valueOf(usePeople(team.id, offer ? [offer.from, offer.to] : []));
  if (!offer || offer.expiresAt <= new Date()) return null;
  const isRecipient = offer.to === uid;
  if (!isRecipient && !can(role, 'team:transfer')) return null;
  const texts = teamTexts();
  const name = (id: string) => {
    if (members === undefined) return '…';
    const found = members.find((member) => member.uid === id);
    return found === undefined ? texts.hasLeft : nameOf(found);
  };
  return (
    <Card title={texts.offer.title}>
      <p class="wrap">
        {isRecipient
          ? textToRecipient(offer, name(offer.from), team.name)
          : textToOwner(offer, name(offer.to))}
      </p>
      <p class="muted small">{texts.offer.until(formatDate(offer.expiresAt))}</p>
      {isRecipient ? <Answer teamId={team.id} /> : <Withdrawal teamId={team.id} />}
    </Card>
  );
}

function textToRecipient({ coOwner }: TransferDocument, from: string, team: string): string {
  const texts = teamTexts().offer;
  return coOwner ? texts.toYouAsCoOwner(from, team) : texts.toYou(from, team);
}

function textToOwner({ coOwner }: TransferDocument, to: string): string {
  const texts = teamTexts().offer;
  return coOwner ? texts.toMemberAsCoOwner(to) : texts.toMember(to);
}

function Answer({ teamId }: { teamId: string }) {
  const texts = teamTexts().offer;
  const { busy, outcome, run } = useAction();
  const accept = async () => {
    await hearth.teams.acceptTransfer(teamId);
    forgetSignedIn();
  };
  return (
    <>
      <div class="actions">
        <Button kind="primary" busy={busy} label={texts.acceptOffer} onClick={() => void run(accept)}>
          {texts.accept}
        </Button>
        <Button
          busy={busy}
          label={texts.declineOffer}
          onClick={() => void run(() => hearth.teams.declineTransfer(teamId))}
        >
          {texts.decline}
        </Button>
      </div>
      <Message outcome={outcome} />
    </>
  );
}

function Withdrawal({ teamId }: { teamId: string }) {
  const texts = teamTexts().offer;
  const { busy, outcome, run } = useAction();
  return (
    <>
      <div class="actions">
        <Button
          busy={busy}
          label={texts.withdrawOffer}
          onClick={() => void run(() => hearth.teams.withdrawTransfer(teamId))}
        >
          {texts.withdraw}
        </Button>
      </div>
      <Message outcome={outcome} />
    </>
  );
}
