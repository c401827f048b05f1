import { GERMAN_REFUSALS } from '@hearth/shared/german-refusals';
import type { ERRORS as English } from '../en/errors.tsx';

/** Codes of the API, and those of the client when no answer came. */
const CODES: Readonly<Record<string, string>> = {
  ...GERMAN_REFUSALS,
  unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
  unknown: 'Etwas ist schiefgegangen. Bitte versuchen Sie es erneut.',
};

export const ERRORS: typeof English = {
  codes: CODES,
  wrongField: 'Bitte prüfen Sie diese Angabe.',
  unknown: 'Etwas ist schiefgegangen. Bitte versuchen Sie es erneut.',
  newVersion: 'Es gibt eine neue Version dieser App. Laden Sie die Seite neu.',
  partUnreachable:
    'Ein Teil dieser App kann nicht geladen werden. Prüfen Sie Ihre Verbindung, und laden Sie die Seite neu.',
  signInFailed: (code) => `Die Anmeldung ist fehlgeschlagen (${code}). Bitte versuchen Sie es erneut.`,
  otherUser:
    'In einem anderen Tab hat sich jemand mit einem anderen Konto angemeldet. Versuchen Sie es erneut, um dieses Konto hier zu sehen.',
  appCheck:
    'Wir konnten nicht prüfen, ob dies unsere App in einem echten Browser ist. Erlauben Sie reCAPTCHA, oder versuchen Sie es später erneut.',

  auth: {
    'auth/account-exists-with-different-credential':
      'Es gibt schon ein Konto mit dieser E-Mail-Adresse. Melden Sie sich an wie beim letzten Mal.',
    'auth/cancelled-popup-request': '',
    'auth/credential-already-in-use': 'Dieses Google-Konto gehört hier schon zu einem anderen Konto.',
    'auth/email-already-in-use':
      'Es gibt schon ein Konto mit dieser E-Mail-Adresse. Melden Sie sich stattdessen an.',
    'auth/expired-action-code': 'Dieser Link ist abgelaufen. Fordern Sie eine neue Nachricht an.',
    'auth/internal-error':
      'Der Anmeldedienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
    'auth/invalid-action-code':
      'Dieser Link ist nicht gültig oder wurde schon benutzt. Fordern Sie eine neue Nachricht an.',
    'auth/invalid-credential': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    'auth/invalid-email': 'Das ist keine gültige E-Mail-Adresse.',
    'auth/invalid-verification-code':
      'Dieser Code ist falsch oder abgelaufen. Geben Sie den ein, den Ihre App jetzt anzeigt.',
    'auth/network-request-failed':
      'Die Anmeldung ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
    'auth/operation-not-allowed': 'Diese Art der Anmeldung ist für diese App ausgeschaltet.',
    'auth/password-does-not-meet-requirements':
      'Dieses Passwort ist zu schwach. Wählen Sie ein längeres, mit Ziffern und Zeichen.',
    'auth/popup-blocked':
      'Ihr Browser hat das Anmeldefenster blockiert. Erlauben Sie Pop-ups für diese Seite, und versuchen Sie es erneut.',
    'auth/popup-closed-by-user': '',
    'auth/requires-recent-login': 'Melden Sie sich zuerst erneut an.',
    'auth/too-many-requests':
      'Zu viele Versuche. Warten Sie einige Minuten, oder setzen Sie Ihr Passwort zurück.',
    'auth/totp-challenge-timeout': 'Das hat zu lange gedauert. Beginnen Sie von vorn.',
    'auth/unauthorized-domain': 'Diese Adresse gehört nicht zu den erlaubten Domains des Firebase-Projekts.',
    'auth/user-disabled': 'Dieses Konto ist gesperrt.',
    'auth/user-not-found': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    'auth/weak-password': 'Dieses Passwort ist zu schwach. Wählen Sie ein längeres.',
    'auth/wrong-password': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  },
};
