import type { Role } from '@hearth/client';

/** The page for operators. */
export const ADMIN = {
  search: {
    title: 'Operators',
    card: 'Find a user or a team',
    label: 'Address, id or short name',
    submit: 'Find',
    team: (name: string) => `Team ${name}`,
    show: 'Show',
    showOne: (name: string) => `Show ${name}`,
    nothing: 'Nothing has this address, id or short name.',
  },
  /** An address that no account has. */
  address: {
    invitations: 'Invitations',
    noInvitations: 'No invitation was sent to this address.',
    /** The status is a word of the API, such as `pending`. */
    invitation: (team: string, status: string) => `${team}: ${status}`,
    optedOut: 'The owner of this mailbox has stopped mail that others request, such as invitations.',
  },
  /** Requests that the backend refused. */
  refusals: {
    notOperator: 'This page is for operators.',
    signInAgain: 'For safety: sign out, and sign in again first.',
  },

  user: {
    /** Names the user while they are loading. */
    what: 'user',
    uid: 'Uid',
    name: 'Name',
    noName: 'none',
    state: 'State',
    enabled: 'enabled',
    disabled: 'disabled',
    verified: 'Address verified',
    isVerified: 'yes',
    isNotVerified: 'no',
    plan: 'Plan',
    teams: 'Teams',
    noTeams: 'none',
    teamAs: (team: string, role: Role) => `${team} (${role})`,
    sessions: 'Sessions',
    files: 'Files',
  },
  enable: {
    label: 'Enable',
    title: (user: string) => `Enable ${user}?`,
    confirm: 'Enable the account',
  },
  disable: {
    label: 'Disable',
    title: (user: string) => `Disable ${user}?`,
    confirm: 'Disable the account',
  },
  disabledEffect: 'A disabled person is signed out everywhere and cannot sign in.',
  verify: {
    label: 'Verify the address',
    title: (user: string) => `Verify the address of ${user}?`,
    effect:
      'Do this only if the person has proved in another way that the address is theirs. The account loses its password, its other ways to sign in and its sessions: somebody else may have registered it. Then mail a link for a new password.',
    confirm: 'Mark as verified',
  },
  endSessions: {
    label: 'End all sessions',
    title: (user: string) => `End all sessions of ${user}?`,
    effect: 'The person has to sign in again everywhere.',
    confirm: 'End the sessions',
  },
  exportUser: {
    label: 'Export personal data',
    title: (user: string) => `Export the data of ${user}?`,
    effect:
      'A file with everything that is stored about the person. Give it to nobody else. The export is recorded in the audit log.',
    confirm: 'Download the data',
    done: (file: string) => `The data is saved in ${file}.`,
  },
  deleteUser: {
    label: 'Delete',
    title: (user: string) => `Delete ${user}?`,
    effect:
      'The account, its files and its subscription end. Usage that is on no invoice yet is charged. This cannot be undone.',
    confirm: 'Delete everything',
  },
  seeAs: {
    reason: 'Reason',
    hint: 'Kept in the audit log. Lasts 30 minutes.',
    submit: 'See the service as this person',
  },

  mail: {
    title: 'Mail',
    /** Names the list while it is loading. */
    what: 'mail',
    none: 'No mail of the last 30 days.',
    noSubject: 'No subject',
    sent: 'sent',
    failed: (error: string) => `failed. ${error}`,
    onItsWay: 'on its way',
    confirm: 'Send the mail',
    done: 'The mail is on its way.',
  },
  /** A new mail, by its kind. */
  sendMail: {
    verification: 'Mail a link to verify',
    password_reset: 'Mail a link for a new password',
    welcome: 'Mail the welcome',
    title: (label: string) => `${label}?`,
    /** The address is undefined if it is not known. */
    effect: (address: string | undefined) =>
      `It goes to ${address ?? 'the address of the account'}, at most once in five minutes.`,
  },
  resendMail: {
    label: 'Send again',
    title: 'Send this mail again?',
    effect:
      'It goes to the address that it went to before, within five minutes. Links in it may have expired.',
  },

  team: {
    /** Names the team while it is loading. */
    what: 'team',
    id: 'Id',
    slug: 'Short name',
    plan: 'Plan',
    planWithSeats: (plan: string, seats: string) => `${plan}, ${seats} seats`,
    invitations: 'Invitations',
    owner: 'owner',
  },
  changeOwner: {
    label: (member: string) => `Make ${member} the owner`,
    title: (member: string) => `Make ${member} the owner?`,
    effect: 'The present owner becomes an admin. Nobody is asked for consent.',
    confirm: 'Change the owner',
  },
  deleteTeam: {
    label: 'Delete the team',
    title: (team: string) => `Delete ${team}?`,
    effect: 'All members, invitations and files are deleted. This cannot be undone.',
    effectIfSubscribed:
      'All members, invitations and files are deleted. The subscription of the team ends immediately, without a refund. Usage and seats that are on no invoice yet are charged. This cannot be undone.',
    typed: 'Name of the team',
    confirm: 'Delete for everybody',
    done: (team: string) => `${team} is deleted.`,
  },

  /** A plan that is given without payment. */
  givePlan: {
    plan: 'Plan',
    hint: 'The slug, such as pro.',
    until: 'Until',
    submit: 'Give the plan',
    done: 'The plan is given.',
    given: (plan: string, day: string) => `The plan ${plan} is given until ${day}.`,
  },
  endPlan: {
    label: 'End the comped plan',
    title: 'End the comped plan?',
    effect: 'A paid plan stays.',
    confirm: 'End the plan',
  },
  /** An entry of the audit log. */
  entry: (action: string, actor: string) => `${action} by ${actor}`,
};
