/** Status codes of Firestore. https://grpc.io/docs/guides/status-codes/ */
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;

/** Of Firebase Auth, for a user whom it does not know. */
export const USER_NOT_FOUND = 'auth/user-not-found';
/** Likewise, where the custom claims of a user would be longer than 1,000 characters. */
export const CLAIMS_TOO_LARGE = 'auth/claims-too-large';

/** Whether an error of one of Google's clients has one of these codes: numbers or text, as the client has them. */
export function hasCode(error: unknown, ...codes: readonly unknown[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
