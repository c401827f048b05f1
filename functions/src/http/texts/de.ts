import { GERMAN_REFUSALS, GERMAN_REFUSALS_SHARING_A_CODE } from '@hearth/shared/german-refusals';
import { fillMessage } from '@hearth/shared/message';
import type { RefusalCode, RefusalName } from '../../refusals/refusals.ts';
import type { PageTexts } from './words.ts';

/** The compiler checks that every code and every other name of a refusal has a message. */
const BY_CODE: Readonly<Record<RefusalCode, string>> = GERMAN_REFUSALS;
const BY_NAME: Readonly<Record<Exclude<RefusalName, RefusalCode>, string>> &
  Readonly<Partial<Record<RefusalCode, string>>> = GERMAN_REFUSALS_SHARING_A_CODE;

const SUPPORT = 'Wenn Sie Hilfe brauchen, wenden Sie sich an den Support.';

export const DE: PageTexts = {
  language: 'de',
  signedInAs: (account) => `Sie sind als ${account} angemeldet.`,
  support: 'Hilfe',
  actions: {
    'switch-account': 'Konto wechseln',
    verify: 'Adresse bestätigen',
    'ask-sender': 'Um eine neue bitten',
    retry: 'Erneut versuchen',
    continue: 'Weiter',
  },
  back: { start: 'Zur Startseite', dashboard: 'Zur Übersicht', billing: 'Zur Abrechnung' },
  advice: {
    tryLater: 'Bitte versuchen Sie es später erneut, oder wenden Sie sich an den Support.',
    askSender: `Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung. ${SUPPORT}`,
    choosePlan: `Wählen Sie einen Plan auf der Seite „Abrechnung“. ${SUPPORT}`,
    contactSupport: SUPPORT,
    otherAddress: `Melden Sie sich mit der eingeladenen Adresse an, oder bitten Sie um eine Einladung an Ihre. ${SUPPORT}`,
    verify:
      'Öffnen Sie den Link in der Nachricht, die wir an Ihre Adresse gesendet haben. Falls sie nicht ankommt, senden Sie sie erneut, oder wenden Sie sich an den Support.',
    onDashboard:
      'Sie finden Ihre Teams in der Übersicht. Falls dieses fehlt, wenden Sie sich an den Support.',
    moreSeats: `Bitten Sie einen Owner des Teams um einen Plan mit mehr Plätzen, und versuchen Sie es dann erneut. ${SUPPORT}`,
    teamGone: `Vielleicht wurde es gelöscht. ${SUPPORT}`,
    openAgain: `Öffnen Sie den Link noch einmal aus der Nachricht oder von der Seite. ${SUPPORT}`,
    roleTooLow: `Ein Owner oder Admin des Teams kann das tun. ${SUPPORT}`,
    signUp: 'Legen Sie ein Konto an, oder melden Sie sich an, und versuchen Sie es dann erneut.',
    otherAccount: `Vielleicht gehört das zu einem anderen Konto. ${SUPPORT}`,
    nothingToPay: `Es ist nichts zu bezahlen. ${SUPPORT}`,
    awaitPayment: `Sie erhalten den Plan, wenn das Geld eingeht. Schlägt die Zahlung fehl, können Sie erneut kaufen. ${SUPPORT}`,
    checkCode: `Prüfen Sie den Code, oder kaufen Sie ohne ihn. ${SUPPORT}`,
    otherCheckout: `Schließen Sie den anderen Kauf ab, oder beginnen Sie von vorn. ${SUPPORT}`,
    confirm: 'Gehen Sie nur weiter, wenn Sie diese Seite öffnen wollten.',
    stopImpersonation: 'Beenden Sie zuerst die Ansicht als dieser Benutzer.',
  },
  refusal: ({ refusalName, code, values }) =>
    fillMessage(BY_NAME[refusalName] ?? BY_CODE[code], values, 'de'),
  asked: {
    title: 'Sie haben um eine neue Einladung gebeten',
    text: 'Die Person, die Sie eingeladen hat, oder ein Owner des Teams erhält eine Nachricht. Sie erhalten eine Mail, wenn Sie erneut eingeladen werden.',
  },
  mailChoice: {
    ask: {
      title: 'Keine Einladungen mehr per Mail?',
      text: 'Diese App sendet dann keine Einladungen mehr an Ihre Adresse. Sie sehen sie weiterhin, wenn Sie angemeldet sind.',
    },
    stopped: {
      title: 'Sie erhalten keine Einladungen per Mail',
      text: 'Diese App sendet keine Einladungen an Ihre Adresse. Sie sehen sie weiterhin, wenn Sie angemeldet sind.',
    },
    resumed: {
      title: 'Sie erhalten wieder Einladungen per Mail',
      text: 'Diese App sendet Einladungen wieder an Ihre Adresse.',
    },
    stop: 'Keine Einladungen mehr senden',
    resume: 'Einladungen wieder senden',
  },
};
