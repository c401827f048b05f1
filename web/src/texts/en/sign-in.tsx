import type { ComponentChildren } from 'preact';

/** The pages for signing in, and for the links in messages about an account. */
export const SIGN_IN = {
  signIn: 'Sign in',
  sessionEnded: 'Your session has ended. Sign in again to continue.',
  signUp: 'Create an account',
  createAccount: 'Create account',
  reset: 'Reset your password',
  forgot: 'Forgot your password?',
  haveAccount: 'I have an account already',
  back: 'Back to sign-in',
  google: 'Continue with Google',
  orEmail: 'or with e-mail',
  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters; a sentence is good.',
  name: 'Your name',
  resetLead: 'We send you a link with which you choose a new one.',
  sendReset: 'Send reset link',
  resetSent: 'If there is an account with this address, a message with a link is on its way.',

  code: {
    title: 'Enter your code',
    label: 'Code',
    hint: 'The digits that your authenticator app shows now.',
    otherFactor: 'This account has a second factor that these pages do not support.',
  },

  invited: {
    label: 'Invitation',
    somebody: 'Somebody',
    by: (sender: ComponentChildren, team: ComponentChildren, role: string): ComponentChildren => (
      <>
        {sender} invites you to {team} as {role}.
      </>
    ),
    link: (until: string) => `One person can use this link, until ${until}.`,
    forAddress: (email: string, until: string) => `The invitation is for ${email}, until ${until}.`,
    unknown: 'You are invited to a team. Use the address that the invitation was sent to.',
    closed: (reason: string) => `${reason} You can still sign in.`,
    ask: 'Ask for a new invitation',
    incomplete: 'This link is incomplete',
    incompleteLead:
      'Open it from the message once more, or copy all of it. If that does not help, ask for a new invitation.',
    without: 'Sign in without it',
  },

  confirm: {
    title: 'You are signed in',
    lead: 'A link has sent you here. Continue only if you wanted to open its page.',
    proceed: 'Continue',
    dashboard: 'To the dashboard',
  },

  verification: {
    missing: 'E-mail address not verified',
    title: 'Verify your address',
    lead: (email: ComponentChildren): ComponentChildren => (
      <>
        An invitation is for the owner of its address. We sent a message to {email}. Open its link, and this
        page goes on.
      </>
    ),
    notYet: 'Your address is not verified yet. Open the link in the message first.',
    proceed: 'I have verified, continue',
    again: 'Send the message again',
    otherAccount: 'Use another account',
    sent: 'The message is on its way. Look into your spam folder too.',
  },

  action: {
    titles: {
      verifyEmail: 'Verify your address',
      resetPassword: 'Choose a new password',
      recoverEmail: 'Take your old address back',
      verifyAndChangeEmail: 'Confirm your new address',
      revertSecondFactorAddition: 'Remove the new second factor',
    },
    incomplete: 'This link is incomplete. Open it from the message once more.',
    useless: 'This link does nothing',
    signIn: 'Go to sign-in',
    passwordSaved: 'Your password has been changed.',
    savePassword: 'Save password',
    verified: 'Your address is verified.',
    recoveredAddress: 'The address is yours again.',
    recovered: 'The address is yours again. We sent you a message to choose a new password.',
    recoveredOnly:
      'The address is yours again. Somebody may know your password: choose a new one on the sign-in page.',
    factorRemoved: 'The second factor is removed.',
    reverted: 'The second factor is removed. We sent you a message to choose a new password.',
    revertedOnly:
      'The second factor is removed. Somebody may know your password: choose a new one on the sign-in page.',
    next: 'Continue',
  },
};
