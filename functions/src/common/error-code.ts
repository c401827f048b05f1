/** Code of Firebase Auth for an unknown user. */
export const USER_NOT_FOUND = 'auth/user-not-found';
/** Code of Firebase Auth for custom claims of more than 1,000 characters. */
export const CLAIMS_TOO_LARGE = 'auth/claims-too-large';

/** True if an error of a client of Google has one of these codes. Some clients have numbers, others text. */
export function hasCode(error: unknown, ...codes: readonly unknown[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
