import type { Role } from '@hearth/client';
import { can } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import { valueOf } from '../backend/source.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { formatDate } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';
import { nameOf, type TeamDocument, type TransferDocument } from './documents.ts';
import { usePeople } from './queries.ts';

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
  const name = (id: string) =>
    members === undefined ? '…' : nameOf(members.find((member) => member.uid === id) ?? NOBODY);
  return (
    <Card title="Offer of ownership">
      {isRecipient ? (
        <p class="wrap">
          {name(offer.from)} offers you {team.name}. {consequenceOf(offer)}
        </p>
      ) : (
        <p class="wrap">
          The team is offered to {name(offer.to)}
          {offer.coOwner && ' as a co-owner'}, who has not answered yet.
        </p>
      )}
      <p class="muted small">Open until {formatDate(offer.expiresAt)}</p>
      {isRecipient ? <Answer teamId={team.id} /> : <Withdrawal teamId={team.id} />}
    </Card>
  );
}

const NOBODY = { displayName: 'Somebody who has left', email: null };

function consequenceOf({ coOwner }: TransferDocument): string {
  return coOwner
    ? 'You become an owner beside them.'
    : 'You become the owner who answers for the team, and they become an admin.';
}

function Answer({ teamId }: { teamId: string }) {
  const { busy, outcome, run } = useAction();
  const accept = async () => {
    await hearth.teams.acceptTransfer(teamId);
    forgetSignedIn();
  };
  return (
    <>
      <div class="actions">
        <Button kind="primary" busy={busy} onClick={() => void run(accept)}>
          Accept<span class="visually-hidden"> the offer of ownership</span>
        </Button>
        <Button busy={busy} onClick={() => void run(() => hearth.teams.declineTransfer(teamId))}>
          Decline<span class="visually-hidden"> the offer of ownership</span>
        </Button>
      </div>
      <Message outcome={outcome} />
    </>
  );
}

function Withdrawal({ teamId }: { teamId: string }) {
  const { busy, outcome, run } = useAction();
  return (
    <>
      <div class="actions">
        <Button busy={busy} onClick={() => void run(() => hearth.teams.withdrawTransfer(teamId))}>
          Withdraw<span class="visually-hidden"> the offer of ownership</span>
        </Button>
      </div>
      <Message outcome={outcome} />
    </>
  );
}
