/**
 * German messages by the code of a refusal, for the pages of the app and for the pages that the backend itself answers
 * with. Several refusals can have the same code, and each message is true for all of them. The pages of the app know
 * only the code, so the messages have no values. The API answers in English.
 */
export const GERMAN_REFUSALS = {
  invalid_request: 'Diese Angaben sind nicht gültig.',
  invalid_signature: 'Die Signatur ist nicht gültig.',
  plan_is_free: 'Dieser Plan ist kostenlos.',
  comp_in_the_past: 'Das Ende muss in der Zukunft liegen.',
  plan_not_for_subject: 'Dieser Plan ist für eine andere Art von Kunden.',
  interval_not_offered: 'Der Plan wird für diesen Zeitraum nicht verkauft.',
  return_url_not_allowed: 'Diese Rückkehradresse ist nicht erlaubt.',
  currency_not_offered: 'In dieser Währung ist das nicht möglich.',
  promotion_code_invalid: 'Dieser Gutscheincode ist nicht gültig oder gilt nicht für diesen Kauf.',
  add_on_not_offered: 'Dieser Zusatz ist zu diesem Plan nicht erhältlich.',
  add_on_quantity_too_high: 'So oft können Sie diesen Zusatz nicht haben.',
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
  other_site: 'Eine andere Website hat Sie hierher geschickt.',
  app_check_required: 'Ihr Browser konnte nicht zeigen, dass dies die echte App ist.',
  app_check_failed: 'Ihr Browser konnte nicht zeigen, dass dies die echte App ist.',
  impersonation_not_allowed: 'Das ist nicht möglich, während Sie den Dienst als jemand anderes sehen.',
  admin_not_impersonated: 'Als Betreiber kann niemand den Dienst sehen.',
  not_recipient: 'Diese Einladung ist für eine andere E-Mail-Adresse.',
  no_seat: 'Alle Plätze des Teams sind besetzt oder reserviert.',
  team_limit: 'Sie besitzen schon die größte erlaubte Zahl von Teams.',
  plan_required: 'Dafür brauchen Sie einen höheren Plan.',
  entitlement_required: 'Das ist in Ihrem Plan nicht enthalten.',
  meter_closed_to_clients: 'Diesen Verbrauch darf nur der Server melden.',
  credits_too_low: 'Das Guthaben reicht dafür nicht.',
  quota_exceeded: 'Der Speicher ist voll. Löschen Sie Dateien, oder wählen Sie einen größeren Plan.',

  not_found: 'Unter dieser Adresse ist nichts.',
  user_not_found: 'Diesen Benutzer gibt es nicht.',
  comp_not_found: 'Es gibt keinen geschenkten Plan.',
  team_not_found: 'Dieses Team gibt es nicht.',
  member_not_found: 'Diese Person ist nicht im Team.',
  transfer_not_found: 'Dieses Angebot gibt es nicht.',
  invitation_not_found: 'Diese Einladung gibt es nicht.',
  session_not_found: 'Diese Sitzung gibt es nicht.',
  plan_not_found: 'Diesen Plan gibt es nicht.',
  subscription_not_found: 'Dieses Abonnement gibt es nicht.',
  add_on_not_found: 'Diesen Zusatz gibt es nicht.',
  item_not_found: 'Einen Plan oder ein Guthaben mit diesem Namen gibt es nicht.',
  meter_not_found: 'Diesen Zähler gibt es nicht.',
  checkout_not_found: 'Diesen Kauf gibt es nicht.',
  upload_not_found: 'Diese Datei gibt es nicht.',
  mail_not_found: 'Diese Nachricht gibt es nicht.',
  unknown_link: 'Dieser Link ist nicht mehr gültig.',

  method_not_allowed: 'Diese Adresse erlaubt das nicht.',

  invitation_is_link:
    'Diese Einladung hat keine E-Mail-Adresse und kann daher nicht gesendet werden. Ziehen Sie sie zurück, und erstellen Sie einen neuen Link.',
  slug_taken: 'Diese Team-Adresse ist schon vergeben.',
  subscription_running:
    'Mit dem Team endet auch sein Abonnement, sofort und ohne Erstattung. Bestätigen Sie das ausdrücklich.',
  consent_required: 'Neue Owner müssen zustimmen. Bieten Sie es dem Mitglied an.',
  last_owner: 'Jedes Team braucht einen Owner. Machen Sie zuerst eine andere Person zum Owner.',
  already_owner: 'Dieses Mitglied ist schon Owner des Teams.',
  transfer_pending: 'Ziehen Sie zuerst das offene Angebot zurück.',
  already_member: 'Diese Person ist schon Mitglied des Teams.',
  email_differs: 'Das Konto hat eine andere E-Mail-Adresse.',
  duplicate_email: 'Diese Adresse steht schon in der Liste.',
  already_accepted: 'Diese Einladung wurde schon angenommen.',
  already_rejected: 'Diese Einladung wurde schon abgelehnt.',
  already_owned: 'Dieser oder ein höherer Plan ist schon gekauft.',
  payment_processing: 'Eine Zahlung für diesen oder einen höheren Plan ist noch in Bearbeitung.',
  key_reused:
    'Dieser Schlüssel wurde schon für eine andere Menge oder einen anderen Zähler benutzt. Verwenden Sie einen neuen.',
  checkout_superseded: 'Inzwischen wurde ein anderer Kauf begonnen.',
  price_not_available: 'Das kann zurzeit nicht gekauft werden.',
  customer_closed: 'Dieses Konto oder Team wird gerade gelöscht.',
  subscription_ending: 'Dieses Abonnement ist gekündigt. Setzen Sie es zuerst fort.',
  invoice_unpaid:
    'Eine Rechnung dieses Abonnements ist noch offen. Bezahlen Sie sie, oder warten Sie ab, bis eine laufende Lastschrift sie bezahlt.',
  plan_change_planned:
    'Ein Wechsel des Plans ist schon vorgemerkt. Nehmen Sie ihn zurück, oder warten Sie ihn ab.',
  change_not_plannable:
    'Diese Änderung kann nicht für das Ende des Zeitraums vorgemerkt werden. Ändern Sie sofort.',
  payment_failed:
    'Die Zahlung ist fehlgeschlagen. Deshalb wurde nichts geändert. Ändern Sie die Zahlungsmethode, und versuchen Sie es noch einmal.',
  preview_expired: 'Die Vorschau dieser Änderung ist abgelaufen. Prüfen Sie zuerst eine neue Vorschau.',
  not_stored: 'Diese Datei ist noch nicht gespeichert, oder sie wurde abgelehnt.',
  email_missing: 'Dieses Konto hat keine E-Mail-Adresse.',
  session_too_large: 'Ihr Konto hat zu viele Daten für eine Sitzung. Bitte wenden Sie sich an den Support.',
  mail_not_possible: 'Diese Nachricht kann nicht gesendet werden.',

  invitation_cancelled: 'Diese Einladung wurde zurückgezogen.',
  invitation_expired: 'Diese Einladung ist abgelaufen.',
  transfer_expired: 'Dieses Angebot ist abgelaufen.',
  transfer_withdrawn: 'Dieses Angebot wurde zurückgezogen.',

  payload_too_large: 'Die Datei ist zu groß.',
  unsupported_media_type: 'Diese Art von Datei ist nicht erlaubt.',

  too_many_requests: 'Sie haben zu viele Anfragen gesendet. Bitte warten Sie ein wenig.',
  resend_too_soon:
    'Diese Adresse hat vor Kurzem eine Nachricht von uns erhalten. Bitte warten Sie ein wenig.',
  recipient_limit:
    'Diese Adresse hat heute schon die größte erlaubte Zahl von Nachrichten erhalten. Versuchen Sie es morgen erneut.',

  internal: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später erneut.',
  document_damaged: 'Einige dieser Daten sind beschädigt. Bitte wenden Sie sich an die Hilfe.',
  busy: 'Das ist gerade nicht möglich. Bitte versuchen Sie es in einigen Sekunden erneut.',
  auth_unavailable: 'Die Anmeldung ist zurzeit nicht verfügbar.',
  app_check_unavailable: 'App Check ist zurzeit nicht verfügbar.',
  billing_unavailable: 'Die Abrechnung ist zurzeit nicht verfügbar. Bitte versuchen Sie es später erneut.',
  storage_unavailable: 'Der Dateispeicher antwortet nicht. Bitte versuchen Sie es erneut.',
} as const satisfies Readonly<Record<string, string>>;

/**
 * German messages by the name of a refusal, for the pages that the backend itself answers with. A message has the
 * values of the English message, in braces. A name that is also a code is listed here if this message says more than
 * the message in `GERMAN_REFUSALS`.
 */
export const GERMAN_REFUSALS_SHARING_A_CODE = {
  url_malformed: 'Diese Adresse ist fehlerhaft.',
  body_incomplete: 'Der Inhalt der Anfrage endet zu früh.',
  body_not_json: 'Der Inhalt der Anfrage ist kein gültiges JSON.',
  email_invalid: 'Das ist keine E-Mail-Adresse.',
  list_above_limit: 'Senden Sie höchstens {max} Adressen auf einmal.',
  picture_url_invalid: 'Das ist nicht die Adresse eines Bildes.',
  plan_quantity_invalid: 'Einen Plan können Sie nur einmal kaufen.',
  invoice_page_not_found: 'Diese Seite mit Rechnungen gibt es nicht. Beginnen Sie mit der ersten Seite.',
  price_not_on_sale: 'Der Preis {priceId} wird nicht angeboten.',
  price_missing: 'Das Feld price muss die ID eines Preises sein.',
  subscription_quantity_invalid:
    'Das Feld quantity muss bei einem Abonnement 1 sein. Teams werden nach ihren Mitgliedern abgerechnet.',
  page_url_not_own: '{field} muss eine Adresse dieser App sein, wie {example}.',

  plan_for_teams_only: '{name} gibt es nur für Teams.',
  plan_for_users_only: '{name} gibt es nur für einzelne Benutzer.',
  debit_under_way:
    'Eine Lastschrift von Ihrem Konto läuft noch. Versuchen Sie es in einigen Tagen noch einmal.',
  usage_not_plannable:
    'Ihr Abonnement rechnet die Nutzung ab, deshalb kann der Wechsel zu einem anderen Preis der Nutzung nicht vorgemerkt werden. Ändern Sie sofort.',
  price_not_plannable:
    'Ein Preis oder Rabatt Ihres Abonnements wird nicht mehr angeboten, deshalb kann die Änderung nicht vorgemerkt werden. Ändern Sie es sofort.',
  plan_not_recurring: 'Der Plan {plan} wird nicht als Abonnement verkauft.',
  plan_not_paid_monthly: 'Der Plan {plan} kann nicht monatlich bezahlt werden.',
  plan_not_paid_yearly: 'Der Plan {plan} kann nicht jährlich bezahlt werden.',
  plan_not_paid_once: 'Der Plan {plan} kann nicht durch eine einmalige Zahlung gekauft werden.',
  schedule_of_support:
    'Der Support hat Änderungen dieses Abonnements vorgemerkt. Bitten Sie den Support um die Änderung.',
  add_on_interval_not_offered: 'Den Zusatz {addOn} gibt es nicht für den Zeitraum Ihres Abonnements.',
  currency_not_offered: 'Der Plan hat keinen Preis in dieser Währung.',
  currency_in_use:
    'Möglich ist nur {currency}, weil es schon ein Abonnement oder eine Rechnung in dieser Währung gibt.',
  add_on_not_offered: 'Der Zusatz {addOn} ist zum Plan {plan} nicht erhältlich.',
  add_on_for_teams_only: 'Den Zusatz {addOn} gibt es nur für Teams.',
  add_on_for_users_only: 'Den Zusatz {addOn} gibt es nur für einzelne Benutzer.',
  add_on_quantity_too_high: 'Sie können den Zusatz {addOn} höchstens {max}-mal haben.',
  file_name_unusable: 'Der Name der Datei ist nicht verwendbar.',

  credentials_ended: 'Diese Anmeldung ist beendet. Melden Sie sich erneut an.',
  credentials_invalid: 'Diese Anmeldung ist nicht gültig. Melden Sie sich erneut an.',
  sign_in_too_old: 'Melden Sie sich erneut an: Diese Anmeldung ist zu alt, um eine Sitzung zu beginnen.',
  store_token_invalid: 'Das Token des Webhooks ist nicht gültig.',
  bearer_token_malformed: 'Der Header Authorization enthält kein Bearer-Token.',

  role_above_own: 'Ihre Rolle im Team ist niedriger als {role}, daher können Sie das nicht ändern.',
  invite_above_own: 'Nur ein Owner darf einen {role} einladen.',
  replace_above_own: 'Nur ein Owner darf die Einladung eines {role} ersetzen.',
  reply_unverified: 'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie auf eine Einladung antworten.',
  sender_unverified: 'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie andere einladen.',
  recipient_unverified: 'Bestätigen Sie Ihre E-Mail-Adresse, um Ihre Einladungen zu sehen.',
  new_owner_unverified: 'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie Owner werden.',
  uploader_unverified: 'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie Dateien hochladen.',
  team_limit: 'Sie besitzen schon {limit} Teams. Mehr sind nicht möglich.',
  plan_required: 'Dafür brauchen Sie den Plan {plan} oder einen höheren.',
  entitlement_required: 'Das ist in Ihrem Plan nicht enthalten ({entitlement}).',
  quota_exceeded:
    'Ihr Speicher von {size} ist voll. Löschen Sie Dateien, oder wählen Sie einen größeren Plan.',
  team_quota_exceeded:
    'Der Speicher dieses Teams von {size} ist voll. Löschen Sie Dateien, oder wählen Sie einen größeren Plan.',

  shared_link_closed: 'Dieser Einladungslink ist nicht mehr gültig.',
  user_has_no_subscription: 'Sie haben kein Abonnement.',
  team_has_no_subscription: 'Dieses Team hat kein Abonnement.',
  method_not_allowed: 'Diese Adresse erlaubt nur {allowed}.',

  last_owner: 'Sie sind der letzte Owner dieses Teams. Machen Sie zuerst eine andere Person zum Owner.',
  last_owner_of:
    'Sie sind der letzte Owner von {teams}. Machen Sie eine andere Person zum Owner, oder löschen Sie das Team, womit auch sein Abonnement endet.',
  user_is_last_owner_of:
    'Diese Person ist der letzte Owner von {teams}. Die Teams brauchen zuerst einen anderen Owner oder müssen gelöscht werden.',
  already_owner: 'Sie sind schon Owner dieses Teams.',
  member_is_owner: 'Dieses Mitglied ist schon Owner.',
  already_member: 'Sie sind schon Mitglied dieses Teams.',
  recipient_is_member: 'Diese Person ist schon Mitglied des Teams.',
  duplicate_email: '{email} steht schon in der Liste.',
  already_owned: 'Sie besitzen diesen Plan schon.',
  covered_by_owned: 'Sie besitzen schon einen höheren Plan, der diesen enthält.',
  team_already_owns: 'Dieses Team besitzt diesen Plan schon.',
  team_covered_by_owned: 'Dieses Team besitzt schon einen höheren Plan, der diesen enthält.',
  price_not_available: '{name} kann zurzeit nicht gekauft werden.',
  mail_not_possible:
    'Diese Nachricht kann nicht gesendet werden: Das Konto kann den Link darin nicht benutzen.',
  mail_to_disabled: 'Diese Nachricht kann nicht gesendet werden: Das Konto ist gesperrt.',
  mail_to_verified: 'Diese Nachricht kann nicht gesendet werden: Die Adresse ist schon bestätigt.',
  mail_to_unverified: 'Diese Nachricht kann nicht gesendet werden: Die Adresse ist nicht bestätigt.',
  mail_turned_off: 'Diese Nachricht kann nicht gesendet werden: {setting} ist ausgeschaltet.',
  mail_unwanted:
    'Diese Nachricht kann nicht gesendet werden: Der Empfänger möchte keine solchen Nachrichten.',

  payload_too_large: 'Diese Anfrage ist größer als {size}. Mehr ist nicht erlaubt.',
  file_too_large: 'Diese Datei ist größer als {size}. Mehr ist nicht erlaubt.',
  file_too_large_for_kind: 'Eine .{extension}-Datei darf höchstens {size} haben.',
  file_too_large_for_plan: 'Diese Datei ist größer als {size}. Mehr erlaubt der Plan nicht.',
  unsupported_media_type: 'Diese Art von Datei ist nicht erlaubt. Erlaubt sind: {extensions}.',
  file_type_mismatch: 'Der angegebene Typ dieser Datei passt nicht zu ihrer Endung .{extension}.',
  file_content_mismatch: 'Der Inhalt dieser Datei passt nicht zu ihrer Endung .{extension}.',
  file_encoded: 'Eine Datei mit einer Inhaltskodierung ist nicht erlaubt.',
  body_encoded: 'Senden Sie die Anfrage ohne Inhaltskodierung.',
  body_type_not_json: 'Senden Sie die Anfrage als application/json.',
  body_type_not_form: 'Senden Sie die Datei als multipart/form-data.',

  rate_limit_reached: 'Sie haben zu viele Anfragen gesendet. Versuchen Sie es in {wait} erneut.',
  resend_too_soon:
    'Diese Adresse hat vor Kurzem eine Nachricht von uns erhalten. In {wait} können Sie ihr wieder eine senden.',
  recipient_limit:
    'Diese Adresse hat heute schon die größte erlaubte Zahl von Nachrichten erhalten. Versuchen Sie es in {wait} erneut.',

  busy: 'Das wird gerade geändert. Bitte versuchen Sie es in einigen Sekunden erneut.',
  database_unavailable:
    'Unsere Datenbank antwortet gerade nicht. Bitte versuchen Sie es in einigen Sekunden erneut.',
  outcome_unknown:
    'Unsere Datenbank hat nicht geantwortet. Vielleicht ist Ihre Änderung gespeichert: Prüfen Sie das, bevor Sie es erneut versuchen.',
} as const satisfies Readonly<Record<string, string>>;
