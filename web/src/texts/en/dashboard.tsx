import type { Role } from '@hearth/shared/roles';
import type { ComponentChildren } from 'preact';

const ROLES: Readonly<Record<Role, string>> = { owner: 'owner', admin: 'admin', member: 'member' };

/** The first page of a signed-in user. */
export const DASHBOARD = {
  hello: (name: string | undefined) => `Hello, ${name ?? 'there'}`,
  arrival: {
    welcome: (team: string) => `Welcome to ${team}! You are now a member.`,
    declined: 'You declined the invitation.',
    answerBelow: 'You are invited. Accept or decline below.',
  },

  verification: (email: ComponentChildren): ComponentChildren => (
    <>
      Your address {email} is not verified. Open the link in the message that we sent there. Then you can
      invite people, accept invitations and upload files.
    </>
  ),

  sharedInvitation: {
    title: 'You have an invitation link',
    invitesYou: (sender: string | null) => `${sender ?? 'Somebody'} invites you to a team.`,
  },
  invitations: {
    title: 'You are invited',
    list: 'list of your invitations',
    offer: (role: Role, until: string) => `as ${ROLES[role]} · open until ${until}`,
    accept: 'Accept',
    acceptTeam: (team: string) => `Accept the invitation to ${team}`,
    decline: 'Decline',
    declineTeam: (team: string) => `Decline the invitation to ${team}`,
    noSeat: (team: string) => `An owner of ${team} can buy a plan with more seats.`,
  },

  overview: {
    ownPlan: 'Your own plan',
    billing: 'Billing',
    ownFiles: 'Your files',
    plan: 'Plan',
    /** The thing that is loading. */
    team: 'team',
    role: (role: Role) => ROLES[role],
    seats: 'Seats',
    /** The number is undefined until it is known. */
    seatsTaken: (taken: number | undefined, limit: number) => `${taken ?? '…'} of ${limit} taken`,
    members: 'Members',
    invite: 'Invite people',
    teamFiles: 'Files of the team',
  },

  newTeam: {
    firstTitle: 'Your first team',
    first: 'You are in no team yet. Create one, or open an invitation.',
    title: 'Another team',
    name: 'New team',
    create: 'Create team',
    isReady: (team: string) => `${team} is ready. Invite somebody.`,
  },
};
