import { HearthError } from '@hearth/client';
import { ERRORS } from './texts/en/errors.tsx';
import { textsOf } from './texts/language.ts';

export const errorTexts = textsOf('errors', ERRORS);

/** An error whose message is for the visitor. */
export class UserFacingError extends Error {}

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
  if (error instanceof HearthError && Object.keys(error.fields).length > 0) return translated(error.fields);
  const field = FIELD_OF_CODE[error instanceof HearthError ? error.code : authCode(error)];
  return field === undefined ? {} : { [field]: messageOf(error) };
}

/**
 * Whether the session of the backend or of Firebase Auth has ended, so that the visitor must sign in again. Firebase
 * Auth may end it because of a change that the visitor has just made, such as a new second factor.
 */
export function isSignedOut(error: unknown): boolean {
  if (error instanceof HearthError) return error.status === 401;
  return authCode(error) === 'auth/user-token-expired';
}

/** The codes with which Firebase Auth reports that a link of its messages will never work again. */
const USELESS_LINK: ReadonlySet<string> = new Set([
  'auth/expired-action-code',
  'auth/invalid-action-code',
  'auth/user-disabled',
  'auth/user-not-found',
]);

/** False for a link that could not be checked, such as without a connection. Another try may help. */
export function isUselessLink(error: unknown): boolean {
  return USELESS_LINK.has(authCode(error));
}

function translated(fields: FieldErrors): FieldErrors {
  const { wrongField } = errorTexts();
  if (wrongField === undefined) return fields;
  return Object.fromEntries(Object.keys(fields).map((name) => [name, wrongField]));
}

/** The message of an error for a person; empty if there is none. */
export function messageOf(error: unknown): string {
  const texts = errorTexts();
  if (error instanceof HearthError) return texts.codes[error.code] ?? error.message;
  if (error instanceof UserFacingError) return error.message;
  const code = authCode(error);
  return texts.auth[code] ?? (code === '' ? texts.unknown : texts.signInFailed(code));
}

function authCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('auth/') ? code : '';
}
