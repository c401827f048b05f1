import type { MailTexts, PlanValues } from './words.ts';

/** Texts of another language have the same functions. */
export const EN: MailTexts = {
  hello: 'Hello,',
  orOpen: 'If the button does not work, open this address:',
  support: 'Support',
  terms: 'Terms',
  privacy: 'Privacy',
  somebody: 'Somebody',
  role: (role) => (role === 'member' ? 'a member' : `an ${role}`),

  invitation: ({ app, sender, senderWithAddress, team, role, until }) => ({
    subject: `${sender} invites you to ${team}`,
    title: `Join ${team}`,
    paragraphs: [
      [
        { strong: senderWithAddress },
        ` invites you to join the team "`,
        { strong: team },
        `" at ${app} as ${role}.`,
      ],
    ],
    button: 'Accept the invitation',
    notes: [`The invitation is open until ${until}.`, `If you do not know ${sender}, ignore this mail.`],
    reason: `You get this mail because ${sender} entered your address at ${app}.`,
    decline: 'Decline the invitation',
    unsubscribe: 'Stop invitation mail from this app',
  }),

  welcome: ({ app }) => ({
    subject: `Welcome to ${app}`,
    title: `Welcome to ${app}`,
    paragraphs: ['Your account is ready.', 'Create a team and invite the people you work with.'],
    button: 'Open the dashboard',
    reason: `You get this mail because you created an account at ${app}.`,
  }),

  verification: ({ app, email }) => ({
    subject: `Confirm your address for ${app}`,
    title: 'Confirm your address',
    paragraphs: [['Confirm that ', { strong: email }, ` is your address. Then you can use all of ${app}.`]],
    button: 'Confirm the address',
    notes: ['If you did not create an account, ignore this mail.'],
    reason: `You get this mail because somebody entered your address at ${app}.`,
  }),

  passwordReset: ({ app, email }) => ({
    subject: `Choose a new password for ${app}`,
    title: 'Choose a new password',
    paragraphs: [['You can choose a new password for the account ', { strong: email }, '.']],
    button: 'Choose a password',
    notes: ['The link works for one hour. If you did not ask for it, ignore this mail: nothing has changed.'],
    reason: `You get this mail because somebody asked for a new password at ${app}.`,
  }),

  accountDeleted: ({ app }) => ({
    subject: `Your account at ${app} is deleted`,
    title: 'Your account is deleted',
    paragraphs: [
      'Your account and its data are deleted. Your own subscription has ended.',
      'If you did not do this, contact us.',
    ],
    reason: `You get this mail because this address had an account at ${app}. This is our last mail to you.`,
  }),

  joined: ({ app, member, team, role }) => ({
    subject: `${member} joined ${team}`,
    title: `${member} joined ${team}`,
    paragraphs: [[{ strong: member }, ` accepted your invitation and is now ${role} of the team "${team}".`]],
    button: 'Open the team',
    reason: `You get this mail because you sent the invitation at ${app}.`,
  }),

  asked: ({ app, member, team }) => ({
    subject: `${member} asks for a new invitation to ${team}`,
    title: `${member} asks for a new invitation`,
    paragraphs: [
      [{ strong: member }, ` could not use the invitation to the team "${team}" and asks for a new one.`],
      'Invite this address again if you want this person in the team. Otherwise ignore this mail.',
    ],
    button: 'Open the team',
    reason: `You get this mail because you can invite people to this team at ${app}.`,
  }),

  removed: ({ app, team }) => ({
    subject: `You are no longer a member of ${team}`,
    title: `You are no longer a member of ${team}`,
    paragraphs: [
      [`An owner or admin removed you from the team "`, { strong: team }, '".'],
      'You have no access to its files and members now. Your account stays.',
    ],
    reason: `You get this mail because you were a member of this team at ${app}.`,
  }),

  trialEnding: ({ until, mustAddPaymentMethod, ...values }) => ({
    subject: `Your free trial of ${values.plan} ends on ${until}`,
    title: 'Your free trial ends soon',
    paragraphs: [
      `The free trial of the plan ${planOf(values)} ends on ${until}.`,
      mustAddPaymentMethod
        ? 'To keep the plan, add a payment method before that day. Otherwise the plan ends, and nothing is charged.'
        : 'After that the plan is charged to your payment method. To avoid this, cancel before that day.',
    ],
    button: mustAddPaymentMethod ? 'Add a payment method' : 'Manage the subscription',
    reason: reasonOfPlan(values),
  }),

  paymentFailed: ({ amount, hasInvoice, ...values }) => ({
    subject: `Your payment for ${values.plan} has failed`,
    title: 'Your payment has failed',
    paragraphs: [
      `The payment of ${amount} for the plan ${planOf(values)} has failed.`,
      'Pay the invoice or update the payment method, so that the plan continues.',
    ],
    button: hasInvoice ? 'Pay the invoice' : 'Update the payment method',
    reason: reasonOfPlan(values),
  }),

  receipt: ({ amount, hasInvoice, ...values }) => ({
    subject: `Your receipt from ${values.app}`,
    title: 'Thank you for your payment',
    paragraphs: [`We received ${amount} for ${planOf(values)}.`],
    button: hasInvoice ? 'Open the invoice' : 'Manage the subscription',
    reason: reasonOfPayment(values),
  }),

  planEnded: (values) => ({
    subject: `Your plan ${values.plan} has ended`,
    title: 'Your plan has ended',
    paragraphs: [
      `The plan ${planOf(values)} has ended.`,
      'Your data stays. You can choose a plan again at any time.',
    ],
    button: 'Choose a plan',
    reason: reasonOfPlan(values),
  }),
};

function planOf({ plan, team }: PlanValues): string {
  return team === undefined ? plan : `${plan} of the team "${team}"`;
}

function reasonOfPayment({ app, team }: PlanValues): string {
  const payer = team === undefined ? 'you have paid' : `you manage the billing of the team "${team}"`;
  return `You get this mail because ${payer} at ${app}.`;
}

function reasonOfPlan({ app, team }: PlanValues): string {
  const payer = team === undefined ? 'you have' : `you manage the billing of the team "${team}", which has`;
  return `You get this mail because ${payer} a plan at ${app}.`;
}
