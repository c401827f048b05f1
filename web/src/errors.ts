import { HearthError } from '@hearth/client';

/** An error whose message is for the visitor. */
export class UserFacingError extends Error {}

/** https://firebase.google.com/docs/reference/js/auth#autherrorcodes; a closed popup needs no message. */
const AUTH_MESSAGES: Readonly<Record<string, string>> = {
  'auth/account-exists-with-different-credential':
    'There is an account with this e-mail address already. Sign in the way you did before.',
  'auth/cancelled-popup-request': '',
  'auth/credential-already-in-use': 'This Google account belongs to another account here.',
  'auth/email-already-in-use': 'There is an account with this e-mail address already. Sign in instead.',
  'auth/expired-action-code': 'This link has expired. Ask for a new message.',
  // Among others when Google's script, which runs the sign-in window, cannot be loaded.
  'auth/internal-error': 'The sign-in service cannot be reached. Check your connection and try again.',
  'auth/invalid-action-code': 'This link is not valid, or was used already. Ask for a new message.',
  'auth/invalid-credential': 'The e-mail address or the password is wrong.',
  'auth/invalid-email': 'This is not a valid e-mail address.',
  'auth/invalid-verification-code':
    'This code is wrong or has expired. Enter the one that your app shows now.',
  'auth/network-request-failed': 'Sign-in cannot be reached. Check your connection and try again.',
  'auth/operation-not-allowed': 'This way of signing in is switched off for this app.',
  'auth/password-does-not-meet-requirements':
    'This password is too weak. Use a longer one, with digits and signs.',
  'auth/popup-blocked': 'Your browser blocked the sign-in window. Allow pop-ups for this site and try again.',
  'auth/popup-closed-by-user': '',
  'auth/requires-recent-login': 'Sign in again first.',
  'auth/too-many-requests': 'Too many attempts. Wait a few minutes, or reset your password.',
  'auth/totp-challenge-timeout': 'That took too long. Begin again.',
  'auth/unauthorized-domain': 'This address is not among the authorized domains of the Firebase project.',
  'auth/user-disabled': 'This account is disabled.',
  'auth/user-not-found': 'The e-mail address or the password is wrong.',
  'auth/weak-password': 'This password is too weak. Use a longer one.',
  'auth/wrong-password': 'The e-mail address or the password is wrong.',
};

/** The problem of each wrong field of a form, by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Errors that concern one field of a form. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  'auth/email-already-in-use': 'email',
  'auth/invalid-credential': 'current-password',
  'auth/invalid-email': 'email',
  'auth/invalid-verification-code': 'code',
  'auth/password-does-not-meet-requirements': 'password',
  'auth/weak-password': 'password',
  'auth/wrong-password': 'current-password',
  already_member: 'email',
  slug_reserved: 'slug',
  slug_taken: 'slug',
};

/** Empty for an error that concerns no field. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (error instanceof HearthError && Object.keys(error.fields).length > 0) return error.fields;
  const field = FIELD_OF_CODE[error instanceof HearthError ? error.code : authCode(error)];
  return field === undefined ? {} : { [field]: messageOf(error) };
}

/** Whether the session has ended, so that the visitor must sign in again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof HearthError && error.status === 401;
}

/** The message of an error for a person; empty if there is none. */
export function messageOf(error: unknown): string {
  if (error instanceof UserFacingError || error instanceof HearthError) return error.message;
  const code = authCode(error);
  const known = AUTH_MESSAGES[code];
  if (known !== undefined) return known;
  return code === ''
    ? 'Something went wrong. Please try again.'
    : `Sign-in failed (${code}). Please try again.`;
}

function authCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('auth/') ? code : '';
}
