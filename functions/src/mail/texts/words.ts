/** A part of a sentence in bold type. */
export interface Strong {
  strong: string;
}

/** A paragraph, as text or in parts. */
export type Text = string | readonly (string | Strong)[];

/** All words of one mail. Values that users entered are already cleaned. Rendering escapes them. */
export interface Words {
  subject: string;
  title: string;
  paragraphs: readonly Text[];
  /** The label of the button. */
  button?: string;
  /** Below the button, in smaller type. */
  notes?: readonly Text[];
  /** Why the recipient receives the mail. */
  reason: string;
}

export interface MailTexts {
  hello: string;
  /** Introduces the URL of the button, for copying. */
  orOpen: string;
  support: string;
  terms: string;
  privacy: string;
  role: (role: string) => string;
  /** Somebody whose name and address are not known. */
  somebody: string;
  invitation: (values: InvitationValues) => Words & { decline: string; unsubscribe: string };
  welcome: (values: { app: string }) => Words;
  verification: (values: { app: string; email: string }) => Words;
  passwordReset: (values: { app: string; email: string }) => Words;
  accountDeleted: (values: { app: string }) => Words;
  joined: (values: { app: string; member: string; team: string; role: string }) => Words;
  asked: (values: { app: string; member: string; team: string }) => Words;
  removed: (values: { app: string; team: string }) => Words;
  trialEnding: (values: PlanValues & { until: string; mustAddPaymentMethod: boolean }) => Words;
  paymentFailed: (values: PlanValues & { amount: string; hasInvoice: boolean }) => Words;
  receipt: (values: PlanValues & { amount: string; hasInvoice: boolean }) => Words;
  planEnded: (values: PlanValues) => Words;
}

export interface InvitationValues {
  app: string;
  /** Name or address of the sender. */
  sender: string;
  /** Name and verified address of the sender. */
  senderWithAddress: string;
  team: string;
  role: string;
  /** The last day of the invitation. */
  until: string;
}

export interface PlanValues {
  app: string;
  plan: string;
  /** Undefined for a user's own plan. */
  team: string | undefined;
}
