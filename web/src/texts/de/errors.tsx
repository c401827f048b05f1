import type { ErrorCode } from '@hearth/client';
import type { ERRORS as English } from '../en/errors.tsx';

/** All codes of the API and the client. The backend's own messages are in English. */
const CODES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Diese Angaben sind nicht gültig.',
  invalid_signature: 'Die Signatur ist nicht gültig.',
  plan_is_free: 'Dieser Plan ist kostenlos.',
  comp_in_the_past: 'Das Ende muss in der Zukunft liegen.',
  plan_not_for_subject: 'Dieser Plan ist für eine andere Art von Kunden.',
  interval_not_offered: 'Der Plan wird für diesen Zeitraum nicht verkauft.',
  return_url_not_allowed: 'Diese Rückkehradresse ist nicht erlaubt.',
  currency_not_offered: 'Der Plan hat keinen Preis in dieser Währung.',
  promotion_code_invalid: 'Dieser Gutscheincode ist nicht gültig oder gilt nicht für diesen Kauf.',
  add_on_not_offered: 'Dieser Zusatz wird zu diesem Plan nicht verkauft.',
  add_on_quantity_too_high: 'Dieser Zusatz wird nicht so oft verkauft.',
  slug_reserved: 'Diese Team-Adresse ist reserviert. Bitte wählen Sie eine andere.',
  no_file: 'Senden Sie eine Datei.',
  malformed_form: 'Die Formulardaten sind fehlerhaft.',
  empty_file: 'Die Datei ist leer.',
  too_many_parts: 'Senden Sie genau eine Datei.',

  unauthenticated: 'Melden Sie sich zuerst an.',

  forbidden: 'Ihre Rolle im Team erlaubt das nicht.',
  anonymous_account: 'Legen Sie zuerst ein Konto an: Sie sind anonym angemeldet.',
  email_unverified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse.',
  recent_sign_in_required: 'Melden Sie sich zuerst erneut an: Dafür ist eine frische Anmeldung nötig.',
  foreign_origin: 'Diese Anfrage muss von unserer eigenen Seite kommen.',
  not_a_navigation: 'Öffnen Sie diesen Link in einem eigenen Tab.',
  prefetch: 'Diese Adresse wird nicht im Voraus geladen.',
  app_check_required: 'Ihr Browser konnte nicht zeigen, dass dies die echte App ist.',
  app_check_failed: 'Ihr Browser konnte nicht zeigen, dass dies die echte App ist.',
  impersonation_not_allowed: 'Das ist nicht möglich, während Sie den Dienst als jemand anderes sehen.',
  admin_not_impersonated: 'Als Betreiber kann niemand den Dienst sehen.',
  not_recipient: 'Diese Einladung ist für eine andere E-Mail-Adresse.',
  no_seat: 'Alle Plätze des Teams sind besetzt oder reserviert.',
  team_limit: 'Sie besitzen schon die größte erlaubte Zahl von Teams.',
  plan_required: 'Dafür ist ein anderer Plan nötig.',
  entitlement_required: 'Dafür ist ein anderer Plan nötig.',
  meter_closed_to_clients: 'Diesen Verbrauch darf nur der Server melden.',
  credits_too_low: 'Das Guthaben reicht nicht.',
  quota_exceeded: 'Der Speicher Ihres Plans ist voll.',

  not_found: 'Unter dieser Adresse ist nichts.',
  user_not_found: 'Diesen Benutzer gibt es nicht.',
  comp_not_found: 'Es gibt keinen geschenkten Plan.',
  team_not_found: 'Dieses Team gibt es nicht.',
  member_not_found: 'Diese Person ist nicht im Team.',
  transfer_not_found: 'Dieses Angebot gibt es nicht.',
  invitation_not_found: 'Diese Einladung gibt es nicht.',
  session_not_found: 'Diese Sitzung gibt es nicht.',
  plan_not_found: 'Diesen Plan gibt es nicht.',
  subscription_not_found: 'Es gibt kein Abonnement.',
  add_on_not_found: 'Diesen Zusatz gibt es nicht.',
  item_not_found: 'Einen Plan oder ein Guthaben mit diesem Namen gibt es nicht.',
  meter_not_found: 'Diesen Zähler gibt es nicht.',
  checkout_not_found: 'Diesen Kauf gibt es nicht.',
  upload_not_found: 'Diese Datei gibt es nicht.',
  mail_not_found: 'Diese Nachricht gibt es nicht.',
  unknown_link: 'Dieser Link ist nicht mehr gültig.',

  method_not_allowed: 'Diese Adresse erlaubt das nicht.',

  invitation_is_link:
    'Diese Einladung ist ein Link und hat keine Adresse. Ziehen Sie sie zurück, und erstellen Sie einen neuen Link.',
  slug_taken: 'Diese Team-Adresse ist schon vergeben.',
  subscription_running:
    'Mit dem Team endet auch sein Abonnement, sofort und ohne Erstattung. Bestätigen Sie das ausdrücklich.',
  consent_required: 'Neue Owner müssen zustimmen. Bieten Sie es dem Mitglied an.',
  last_owner: 'Ein Team braucht mindestens einen Owner.',
  already_owner: 'Dieses Mitglied ist schon Owner des Teams.',
  transfer_pending: 'Ziehen Sie zuerst das offene Angebot zurück.',
  already_member: 'Diese Person ist schon Mitglied des Teams.',
  duplicate_email: 'Diese Adresse steht schon in der Liste.',
  already_accepted: 'Diese Einladung wurde schon angenommen.',
  already_rejected: 'Diese Einladung wurde schon abgelehnt.',
  already_owned: 'Dieser oder ein höherer Plan wurde schon einmalig bezahlt.',
  key_reused: 'Dieser Schlüssel wurde schon für etwas anderes benutzt.',
  checkout_superseded: 'Inzwischen wurde ein anderer Kauf begonnen.',
  price_not_available: 'Der Plan kann zurzeit nicht gekauft werden.',
  customer_closed: 'Dieses Konto oder Team wird gerade gelöscht.',
  subscription_ending: 'Dieses Abonnement ist gekündigt. Setzen Sie es zuerst fort.',
  invoice_unpaid: 'Bezahlen Sie zuerst die offene Rechnung dieses Abonnements.',
  plan_change_planned:
    'Ein Wechsel des Plans ist schon vorgemerkt. Nehmen Sie ihn zurück, oder warten Sie ihn ab.',
  not_stored: 'Die Datei ist nicht gespeichert.',
  email_missing: 'Dieses Konto hat keine E-Mail-Adresse.',
  mail_not_possible: 'Diese Nachricht kann nicht gesendet werden.',

  invitation_cancelled: 'Diese Einladung wurde zurückgezogen.',
  invitation_expired: 'Diese Einladung ist abgelaufen.',
  transfer_expired: 'Dieses Angebot ist abgelaufen.',
  transfer_withdrawn: 'Dieses Angebot wurde zurückgezogen.',

  payload_too_large: 'Die Datei ist zu groß.',
  unsupported_media_type: 'Diese Art von Datei ist nicht erlaubt.',

  too_many_requests: 'Zu viele Anfragen. Bitte warten Sie ein wenig.',
  resend_too_soon: 'Diese Adresse hat gerade erst eine Nachricht erhalten. Bitte warten Sie ein wenig.',
  recipient_limit:
    'Diese Adresse hat heute schon die größte erlaubte Zahl von Nachrichten erhalten. Versuchen Sie es morgen erneut.',

  internal: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später erneut.',
  document_damaged: 'Einige dieser Daten sind beschädigt. Bitte wenden Sie sich an die Hilfe.',
  busy: 'Das ist gerade stark ausgelastet. Bitte versuchen Sie es erneut.',
  auth_unavailable: 'Die Anmeldung ist zurzeit nicht verfügbar.',
  app_check_unavailable: 'App Check ist zurzeit nicht verfügbar.',
  billing_unavailable: 'Die Abrechnung ist zurzeit nicht verfügbar. Bitte versuchen Sie es später erneut.',
  storage_unavailable: 'Der Dateispeicher antwortet nicht. Bitte versuchen Sie es erneut.',

  unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
  unknown: 'Etwas ist schiefgegangen. Bitte versuchen Sie es erneut.',
};

export const ERRORS: typeof English = {
  codes: CODES,
  wrongField: 'Bitte prüfen Sie diese Angabe.',
  unknown: 'Etwas ist schiefgegangen. Bitte versuchen Sie es erneut.',
  signInFailed: (code) => `Die Anmeldung ist fehlgeschlagen (${code}). Bitte versuchen Sie es erneut.`,
  appCheck:
    'Ihr Browser konnte nicht zeigen, dass dies die echte App ist. Erlauben Sie reCAPTCHA, oder versuchen Sie es später erneut.',

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
