import type { Role } from '@hearth/client';
import type { InvitationStatus } from '@hearth/shared/documents/invitation';
import type { ComponentChildren } from 'preact';
import type { Names } from './ui.tsx';

/** Names an invitation by its address. A link is an invitation without an address. */
type ForInvitation = (email: string | null) => string;

/** Makes a part of a text that is shown on narrow screens only. */
type OnPhone = (text: string) => ComponentChildren;

const ROLES: Readonly<Record<Role, string>> = { owner: 'owner', admin: 'admin', member: 'member' };

const MEMBER_NAMES: Names = ['member', 'members'];
const INVITATION_NAMES: Names = ['invitation', 'invitations'];
const ENTRY_NAMES: Names = ['entry', 'entries'];

const STATUSES: Readonly<Record<InvitationStatus, string>> = {
  pending: 'Waiting for an answer',
  accepted: 'Accepted',
  rejected: 'Declined',
  cancelled: 'Withdrawn',
};

const NONE_WITH_STATUS: Readonly<Record<InvitationStatus, string>> = {
  pending: 'No invitation is open.',
  accepted: 'No invitation was accepted.',
  rejected: 'No invitation was declined.',
  cancelled: 'No invitation was withdrawn.',
};

const ENDED: Readonly<Record<Exclude<InvitationStatus, 'pending'>, (date: string | undefined) => string>> = {
  accepted: (date) => (date === undefined ? 'accepted' : `accepted on ${date}`),
  rejected: (date) => (date === undefined ? 'declined' : `declined on ${date}`),
  cancelled: (date) => (date === undefined ? 'withdrawn' : `withdrawn on ${date}`),
};

const forInvitation = (email: string | null) =>
  email === null ? 'invitation link' : `invitation for ${email}`;

const withdrawn: ForInvitation = (email) => `The ${forInvitation(email)} is withdrawn.`;
const withdrawOne: ForInvitation = (email) => `Withdraw the ${forInvitation(email)}`;

/** The pages of a team. */
export const TEAM = {
  team: 'team',
  yourself: 'Yourself',
  withoutName: 'Somebody without a name',
  hasLeft: 'Somebody who has left',
  roles: ROLES,

  page: {
    inviters: (team: string) => `Owners and admins of ${team} invite people.`,
    readers: (team: string) => `Owners and admins of ${team} see its activity.`,
    choose: 'Choose a team at the top of the page.',
    dashboard: 'Go to your dashboard',
    none: 'You are in no team yet.',
    create: 'Create one on your dashboard',
    seats: (taken: number | undefined, limit: number) => `${taken ?? '…'} of ${limit} seats taken`,
  },

  members: {
    names: MEMBER_NAMES,
    hint: 'The beginning of a name or an address',
    role: 'Role',
    filters: { all: 'All roles', owner: 'owners', admin: 'admins', member: 'members' },
    columns: ['Member', 'Role', 'Joined', 'Actions'],
    noneWithRole: 'No member has this role.',
    noneFound: 'No name and no address begins like this.',
    you: (name: string) => `${name} (you)`,
    joined: (date: string, onPhone: OnPhone): ComponentChildren => (
      <>
        {onPhone('joined ')}
        {date}
      </>
    ),
    roleOf: (name: string) => `Role of ${name}`,
    lower: (name: string, role: string) => `Change the role of ${name} to ${role}?`,
    lowerEffect:
      'They lose rights immediately. Invitations and offers of ownership for which they need their present role end.',
    lowerOwn: (role: string) => `Change your role to ${role}?`,
    lowerOwnEffect:
      'You lose rights immediately, and cannot take them back yourself. Invitations and offers of ownership for which you need your present role end.',
    changeRole: 'Change the role',
    remove: 'Remove',
    removeWhom: (name: string) => `Remove ${name}?`,
    removeEffect: (team: string) => `They lose access to ${team} immediately. You can invite them again.`,
    removeFromTeam: 'Remove from the team',
    removed: (name: string) => `${name} is no longer a member.`,
  },

  invitations: {
    names: INVITATION_NAMES,
    invite: 'Invite',
    email: 'E-mail',
    role: 'Role',
    send: 'Send invitation',
    sent: (email: string) => `${email} is invited.`,
    hint: 'The beginning of an address',
    status: 'Status',
    statuses: STATUSES,
    columns: ['Address', 'Role', 'Status', 'Actions'],
    noneWithStatus: NONE_WITH_STATUS,
    noneFound: 'No address begins like this.',
    expires: (when: string) => `expires ${when}`,
    expired: (when: string) => `expired ${when}`,
    ended: ENDED,
    linkHolder: 'The person with the link',
    copyFor: (email: string) => `for ${email}`,
    resend: 'Send again',
    resendTo: (email: string) => `Send again to ${email}`,
    resent: 'Sent again.',
    withdraw: 'Withdraw',
    withdrawOne,
    withdrawn,
    seePlans: 'See the plans with more seats',
    buyer: (owner: string | undefined) =>
      `${owner ?? 'An owner of the team'} can buy a plan with more seats.`,
  },

  link: {
    summary: 'Invite somebody without an e-mail address',
    lead: 'One person can join with the link. Send it only to the person whom you invite.',
    role: 'Role of the person',
    make: 'Make a link',
    made: 'Copy the link now. It is not shown again.',
    copyAbout: 'of the invitation',
  },

  activity: {
    names: ENTRY_NAMES,
    hint: 'By a member: the beginning of their name or address',
    kind: 'Kind',
    kinds: {
      all: 'Everything',
      team: 'Team',
      member: 'Members',
      invitation: 'Invitations',
      billing: 'Billing',
      upload: 'Files',
      admin: 'Support',
    },
    columns: ['Activity', 'Time'],
    none: 'Nothing has happened yet.',
    nobody: 'No member has a name or address that begins like this.',
  },

  settings: {
    name: 'Name',
    rename: 'Rename',
    renamed: 'The team has a new name.',
    needsOwner: 'A team needs an owner. Offer ownership to a member before you leave it.',
    leave: 'Leave the team',
    leaveTeam: (team: string) => `Leave ${team}?`,
    leaveEffect: 'You lose access immediately, and need an invitation to come back.',
    leaveNow: 'Leave',
    left: (team: string) => `You have left ${team}.`,
    delete: 'Delete the team',
    deleteTeam: (team: string) => `Delete ${team}?`,
    deleteEffect: (hasSubscription: boolean): string =>
      hasSubscription
        ? 'All members, invitations and files are deleted. The subscription of the team ends immediately, without a refund. Usage and seats that are on no invoice yet are charged. This cannot be undone.'
        : 'All members, invitations and files are deleted. This cannot be undone.',
    nameToDelete: 'Name of the team',
    deleteForAll: 'Delete for everybody',
    deleted: (team: string) => `${team} is deleted.`,
  },

  transfer: {
    offer: 'Offer ownership',
    offerOf: (team: string) => `Offer ownership of ${team}`,
    lead: 'Nothing changes before they accept. You can withdraw the offer until then.',
    member: 'Member',
    chooseMember: 'Choose a member',
    kind: 'How',
    kinds: { transfer: 'They replace you as the owner', 'co-owner': 'They become a second owner' },
    nameToConfirm: 'Name of the team, to confirm',
    offerTo: (name: string | undefined) => `Offer ownership to ${name ?? 'a member'}`,
    offered: 'The offer is open for seven days.',
  },

  offer: {
    title: 'Offer of ownership',
    toYou: (from: string, team: string) =>
      `${from} offers you ${team}. You become the responsible owner, and they become an admin.`,
    toYouAsCoOwner: (from: string, team: string) =>
      `${from} offers you ${team}. You become an owner beside them.`,
    toMember: (name: string) => `The team is offered to ${name}, who has not replied yet.`,
    toMemberAsCoOwner: (name: string) => `${name} is offered to become a co-owner, and has not replied yet.`,
    until: (date: string) => `Open until ${date}`,
    accept: 'Accept',
    acceptOffer: 'Accept the offer of ownership',
    decline: 'Decline',
    declineOffer: 'Decline the offer of ownership',
    withdraw: 'Withdraw',
    withdrawOffer: 'Withdraw the offer of ownership',
  },
};
