/** Errors. The messages of the backend are in English already, so they need no text here. */
export const ERRORS = {
  /** Messages by the code of a refusal, in place of the backend's. */
  codes: {} as Readonly<Record<string, string>>,
  /** In place of the backend's message about a field. */
  wrongField: undefined as string | undefined,
  unknown: 'Something went wrong. Please try again.',
  newVersion: 'There is a new version of this app. Load the page again.',
  partUnreachable: 'A part of this app cannot be loaded. Check your connection, and load the page again.',
  signInFailed: (code: string) => `Sign-in failed (${code}). Please try again.`,
  otherUser:
    'Somebody has signed in with another account in another tab. Try again to see that account here.',
  appCheck:
    'We could not verify that this is our app in a real browser. Allow reCAPTCHA, or try again later.',

  /** https://firebase.google.com/docs/reference/js/auth#autherrorcodes; a closed popup needs no message. */
  auth: {
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
    'auth/popup-blocked':
      'Your browser blocked the sign-in window. Allow pop-ups for this site and try again.',
    'auth/popup-closed-by-user': '',
    'auth/requires-recent-login': 'Sign in again first.',
    'auth/too-many-requests': 'Too many attempts. Wait a few minutes, or reset your password.',
    'auth/totp-challenge-timeout': 'That took too long. Begin again.',
    'auth/unauthorized-domain': 'This domain is not authorized in the Firebase project.',
    'auth/user-disabled': 'This account is disabled.',
    'auth/user-not-found': 'The e-mail address or the password is wrong.',
    'auth/weak-password': 'This password is too weak. Use a longer one.',
    'auth/wrong-password': 'The e-mail address or the password is wrong.',
  } as Readonly<Record<string, string>>,
};
