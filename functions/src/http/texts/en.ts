import type { PageTexts } from './words.ts';

export const EN: PageTexts = {
  language: 'en',
  signedInAs: (account) => `You are signed in as ${account}.`,
  support: 'Contact support',
  actions: {
    'switch-account': 'Switch account',
    verify: 'Verify your address',
    'ask-sender': 'Ask for a new one',
    retry: 'Try again',
    continue: 'Continue',
  },
  back: { start: 'Go to the start page', dashboard: 'Go to the dashboard', billing: 'Go to billing' },
  advice: {
    tryLater: 'Please try again later or contact support.',
    askSender: 'Ask the person who invited you for a new invitation. If you need help, contact support.',
    choosePlan: 'Choose a plan on the billing page. If you need help, contact support.',
    contactSupport: 'If you need help, contact support.',
    otherAddress:
      'Sign in with the address that was invited, or ask for an invitation to yours. If you need help, contact support.',
    verify:
      'Open the link in the message that we sent to your address. If it does not arrive, send it again or contact support.',
    onDashboard: 'You find your teams on the dashboard. If this one is missing, contact support.',
    moreSeats:
      'Ask an owner of the team for a plan with more seats, then try again. If you need help, contact support.',
    teamGone: 'It may have been deleted. If you need help, contact support.',
    openAgain: 'Open the link from the message or page once more. If you need help, contact support.',
    roleTooLow: 'An owner or admin of the team can do this. If you need help, contact support.',
    signUp: 'Sign up or sign in, then try again.',
    otherAccount: 'It may belong to another account. If you need help, contact support.',
    nothingToPay: 'There is nothing to pay. If you need help, contact support.',
    awaitPayment:
      'You get the plan when the money arrives. If the payment fails, you can buy again. If you need help, contact support.',
    checkCode: 'Check the code, or buy without it. If you need help, contact support.',
    otherCheckout: 'Finish the other checkout, or begin again. If you need help, contact support.',
    confirm: 'Continue only if you wanted to open this page.',
    stopImpersonation: 'Stop seeing the service as this user first.',
  },
  refusal: ({ message }) => message,
  asked: {
    title: 'You have asked for a new invitation',
    text: 'The person who invited you, or an owner of the team, gets a message. You get a mail when they invite you again.',
  },
  mailChoice: {
    ask: {
      title: 'Stop invitation mail?',
      text: 'This app will no longer send invitations to your address. You still see them when you are signed in.',
    },
    stopped: {
      title: 'Invitation mail is stopped',
      text: 'This app sends no invitations to your address. You still see them when you are signed in.',
    },
    resumed: {
      title: 'Invitation mail is on',
      text: 'This app sends invitations to your address again.',
    },
    stop: 'Stop invitation mail',
    resume: 'Send me invitation mail again',
  },
};
