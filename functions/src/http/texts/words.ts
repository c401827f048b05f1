import type { Refusal } from '../../refusals/refusals.ts';
import type { Language } from '../../settings/languages.ts';

/** An action that an error page offers, in addition to the link `back`. */
export type ErrorAction = 'switch-account' | 'verify' | 'ask-sender' | 'retry' | 'continue';

/** A page of the app that an error page leads back to. */
export type BackTarget = 'start' | 'dashboard' | 'billing';

export type AdviceName =
  | 'tryLater'
  | 'askSender'
  | 'choosePlan'
  | 'contactSupport'
  | 'otherAddress'
  | 'verify'
  | 'onDashboard'
  | 'moreSeats'
  | 'teamGone'
  | 'openAgain'
  | 'roleTooLow'
  | 'signUp'
  | 'otherAccount'
  | 'nothingToPay'
  | 'awaitPayment'
  | 'checkCode'
  | 'otherCheckout'
  | 'confirm'
  | 'stopImpersonation';

export interface TitleAndText {
  title: string;
  text: string;
}

/** The texts of the backend's own pages, in one language. */
export interface PageTexts {
  language: Language;
  /** @param account the address, in HTML */
  signedInAs: (account: string) => string;
  support: string;
  actions: Readonly<Record<ErrorAction, string>>;
  back: Readonly<Record<BackTarget, string>>;
  advice: Readonly<Record<AdviceName, string>>;
  refusal: (refusal: Refusal) => string;
  /** After a person has asked for a new invitation. */
  asked: TitleAndText;
  /** Whether a mailbox receives invitation mail. */
  mailChoice: Readonly<Record<'ask' | 'stopped' | 'resumed', TitleAndText>> &
    Readonly<Record<'stop' | 'resume', string>>;
}
