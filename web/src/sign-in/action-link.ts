import { needsConfirmation, safeCallback } from '../callback.ts';

/** The actions of links in Firebase's messages. https://firebase.google.com/docs/auth/custom-email-handler */
const MODES = [
  'verifyEmail',
  'resetPassword',
  'recoverEmail',
  'verifyAndChangeEmail',
  'revertSecondFactorAddition',
] as const;

export type Mode = (typeof MODES)[number];

export interface ActionLink {
  mode: Mode;
  code: string;
  /** A page of our own, or an invitation link, that is offered afterwards. */
  next: string;
}

/** The action of a link in a message; undefined if the link is incomplete. */
export function actionLink(query: URLSearchParams, ownOrigin: string): ActionLink | undefined {
  const mode = MODES.find((known) => known === query.get('mode'));
  const code = query.get('oobCode') ?? '';
  if (mode === undefined || code === '') return undefined;
  const asked = safeCallback(query.get('continueUrl'), ownOrigin);
  // Anybody can make such a link, also as a mail of Firebase. A link of the backend could act without a confirmation.
  const next = asked === undefined || needsConfirmation(asked) ? '/dashboard' : asked.href;
  return { mode, code, next };
}
