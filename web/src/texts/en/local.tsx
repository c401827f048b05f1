import type { ComponentChildren } from 'preact';

/** The banner of `npm start`. */
export const LOCAL = {
  banner: 'Local stack',
  runsHere: 'This stack runs on your machine.',
  signInAs: (people: string) => `Sign in as ${people}.`,
  signInWith: (people: string, password: ComponentChildren): ComponentChildren => (
    <>
      Sign in as {people} with the password {password}.
    </>
  ),
  mail: 'All mail',
  data: 'All data',
  document: 'API document',
  hide: 'Hide',
};
