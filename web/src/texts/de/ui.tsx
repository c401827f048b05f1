import type { Names, UI as English } from '../en/ui.tsx';

const nameOf = (count: number, [one, many]: Names) => (count === 1 ? one : many);

export const UI: typeof English = {
  skip: 'Zum Inhalt springen',
  pages: 'Hauptmenü',
  dashboard: 'Übersicht',
  team: 'Team',
  files: 'Dateien',
  billing: 'Abrechnung',
  account: 'Konto',
  language: 'Sprache',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  support: 'Hilfe',
  consent: (terms, privacy) => (
    <>
      Mit dem Anlegen eines Kontos akzeptieren Sie {terms && <>die {terms('Nutzungsbedingungen')}</>}
      {terms && privacy && ' und '}
      {privacy && <>die {privacy('Datenschutzerklärung')}</>}.
    </>
  ),

  titles: {
    signIn: 'Anmelden',
    action: 'Ihr Konto',
    dashboard: 'Übersicht',
    members: 'Mitglieder',
    invitations: 'Einladungen',
    activity: 'Aktivität',
    teamSettings: 'Team-Einstellungen',
    files: 'Dateien',
    billing: 'Abrechnung',
    thanks: 'Vielen Dank',
    operators: 'Betrieb',
    account: 'Konto',
    notFound: 'Seite nicht gefunden',
  },
  notFound: {
    title: 'Hier ist nichts',
    lead: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
    home: 'Zur Startseite',
  },

  ownMenu: 'Ihr Konto',
  menuOf: (name) => `Menü von ${name}`,
  accountSettings: 'Konto-Einstellungen',
  signOut: 'Abmelden',
  impersonation: 'Ansicht als anderer Benutzer',
  seenAs: (app, user, until) =>
    `Sie sehen ${app} bis ${until} als ${user}. Sie können nicht bezahlen, löschen oder einladen.`,
  stop: 'Beenden',

  cancel: 'Abbrechen',
  typeToConfirm: (name) => `Geben Sie zur Bestätigung „${name}“ ein.`,
  copied: 'Kopiert',
  copyLink: 'Link kopieren',
  cannotCopy: 'Kopieren ist hier nicht erlaubt.',
  dismiss: 'Schließen',
  dismissText: (text) => `Schließen: ${text}`,

  search: 'Suche',
  pagesOf: (items) => `Seiten: ${items}`,
  previous: 'Zurück',
  previousItems: (items) => `Zurück: ${items}`,
  next: 'Weiter',
  nextItems: (items) => `Weiter: ${items}`,
  firstFound: (count, [, many]) =>
    `Die ersten ${count} ${many} gefunden. Geben Sie mehr ein, um weniger zu finden.`,
  found: (count, names) => (count === 0 ? 'Nichts gefunden' : `${count} ${nameOf(count, names)} gefunden`),
  all: (count, names) => (count === 0 ? `Keine ${names[1]}` : `${count} ${nameOf(count, names)}`),
  range: (from, to, [, many]) => `${many} ${from} bis ${to}`,
  rangeOf: (from, to, total, [, many]) => `${many} ${from} bis ${to} von ${total}`,

  unreadable: (what) => `${what}: zurzeit nicht lesbar.`,
  tryAgain: 'Erneut versuchen',
  loading: (what) => (what === '' ? 'Wird geladen …' : `Wird geladen: ${what} …`),
  page: 'Seite',
  cannotBeShown: 'Diese Seite kann nicht angezeigt werden',
};
