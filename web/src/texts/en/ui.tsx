import type { ComponentChildren } from 'preact';

/** The name of an item of a list, such as `['member', 'members']`. */
export type Names = readonly [one: string, many: string];

/** The frame of the pages, and the components that all rooms use. */
export const UI = {
  skip: 'Skip to content',
  pages: 'Main',
  dashboard: 'Dashboard',
  team: 'Team',
  files: 'Files',
  billing: 'Billing',
  account: 'Account',
  language: 'Language',
  terms: 'Terms',
  privacy: 'Privacy',
  support: 'Support',
  /** Links to the documents of shared/brand.json; one of them is undefined if the app has none. */
  consent: (terms: ComponentLink | undefined, privacy: ComponentLink | undefined): ComponentChildren => (
    <>
      By creating an account you accept {terms && <>the {terms('terms of service')}</>}
      {terms && privacy && ' and '}
      {privacy && <>the {privacy('privacy policy')}</>}.
    </>
  ),

  titles: {
    signIn: 'Sign in',
    action: 'Your account',
    dashboard: 'Dashboard',
    members: 'Members',
    invitations: 'Invitations',
    activity: 'Activity',
    teamSettings: 'Team settings',
    files: 'Files',
    billing: 'Billing',
    thanks: 'Thank you',
    operators: 'Operators',
    account: 'Account',
    notFound: 'Page not found',
  },
  notFound: {
    title: 'There is nothing here',
    lead: 'The address may be mistyped, or the page has moved.',
    home: 'Go to the start',
  },

  ownMenu: 'Your account',
  menuOf: (name: string) => `Menu of ${name}`,
  accountSettings: 'Account settings',
  signOut: 'Sign out',
  impersonation: 'Impersonation',
  seenAs: (app: string, user: string, until: string) =>
    `You see ${app} as ${user} until ${until}. You cannot pay, delete or invite.`,
  stop: 'Stop',

  cancel: 'Cancel',
  typeToConfirm: (name: string) => `Type “${name}” to confirm.`,
  copied: 'Copied',
  copyLink: 'Copy link',
  cannotCopy: 'Copying is not allowed here.',
  dismiss: 'Dismiss',
  dismissText: (text: string) => `Dismiss: ${text}`,

  search: 'Search',
  pagesOf: (items: string) => `Pages of ${items}`,
  previous: 'Previous',
  previousItems: (items: string) => `Previous ${items}`,
  next: 'Next',
  nextItems: (items: string) => `Next ${items}`,
  firstFound: (count: number, [, many]: Names) =>
    `The first ${count} ${many} found. Type more to find fewer.`,
  found: (count: number, names: Names) =>
    count === 0 ? `No ${names[0]} found` : `${count} ${nameOf(count, names)} found`,
  all: (count: number, names: Names) => (count === 0 ? `No ${names[1]}` : `${count} ${nameOf(count, names)}`),
  range: (from: number, to: number, [, many]: Names) => `${capitalized(many)} ${from} to ${to}`,
  rangeOf: (from: number, to: number, total: number, [, many]: Names) =>
    `${capitalized(many)} ${from} to ${to} of ${total}`,

  unreadable: (what: string) => `The ${what} cannot be read right now.`,
  tryAgain: 'Try again',
  loading: (what: string) => `Loading${what === '' ? '' : ` ${what}`}…`,
  page: 'page',
  cannotBeShown: 'This page cannot be shown',
};

/** Makes a link with a text. */
export type ComponentLink = (text: string) => ComponentChildren;

const nameOf = (count: number, [one, many]: Names) => (count === 1 ? one : many);

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
