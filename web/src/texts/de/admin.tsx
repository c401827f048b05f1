import type { ADMIN as English } from '../en/admin.tsx';

const ROLES = { owner: 'Owner', admin: 'Admin', member: 'Mitglied' } as const;

export const ADMIN: typeof English = {
  search: {
    title: 'Betrieb',
    card: 'Benutzer oder Team finden',
    label: 'Adresse, ID oder Kurzname',
    submit: 'Suchen',
    team: (name) => `Team ${name}`,
    show: 'Anzeigen',
    showOne: (name) => `${name} anzeigen`,
    nothing: 'Zu dieser Adresse, ID oder diesem Kurznamen wurde nichts gefunden.',
  },
  address: {
    invitations: 'Einladungen',
    noInvitations: 'An diese Adresse ging keine Einladung.',
    invitation: (team, status) => `${team}: ${status}`,
    optedOut: 'Die Person möchte keine E-Mails, die andere auslösen, zum Beispiel Einladungen.',
  },
  refusals: {
    notOperator: 'Diese Seite ist für den Betrieb.',
    signInAgain: 'Zur Sicherheit: Melden Sie sich zuerst ab und wieder an.',
  },

  user: {
    what: 'Benutzer',
    uid: 'UID',
    name: 'Name',
    noName: 'keiner',
    state: 'Zustand',
    enabled: 'aktiv',
    disabled: 'gesperrt',
    verified: 'Adresse bestätigt',
    isVerified: 'ja',
    isNotVerified: 'nein',
    plan: 'Plan',
    teams: 'Teams',
    noTeams: 'keine',
    teamAs: (team, role) => `${team} (${ROLES[role]})`,
    sessions: 'Sitzungen',
    files: 'Dateien',
  },
  enable: {
    label: 'Entsperren',
    title: (user) => `${user} entsperren?`,
    confirm: 'Konto entsperren',
  },
  disable: {
    label: 'Sperren',
    title: (user) => `${user} sperren?`,
    confirm: 'Konto sperren',
  },
  disabledEffect: 'Eine gesperrte Person wird überall abgemeldet und kann sich nicht anmelden.',
  verify: {
    label: 'Adresse bestätigen',
    title: (user) => `Adresse von ${user} bestätigen?`,
    effect:
      'Tun Sie das nur, wenn die Person auf andere Weise nachgewiesen hat, dass ihr die Adresse gehört. Das Konto verliert sein Passwort, seine anderen Anmeldewege und seine Sitzungen: Jemand anders kann es angelegt haben. Senden Sie danach einen Link für ein neues Passwort.',
    confirm: 'Als bestätigt markieren',
  },
  endSessions: {
    label: 'Alle Sitzungen beenden',
    title: (user) => `Alle Sitzungen von ${user} beenden?`,
    effect: 'Die Person muss sich überall neu anmelden.',
    confirm: 'Sitzungen beenden',
  },
  exportUser: {
    label: 'Persönliche Daten exportieren',
    title: (user) => `Daten von ${user} exportieren?`,
    effect:
      'Die Datei enthält alles, was über die Person gespeichert ist. Geben Sie sie niemandem sonst. Der Export wird im Protokoll festgehalten.',
    confirm: 'Daten herunterladen',
    done: (file) => `Die Daten sind in ${file} gespeichert.`,
  },
  deleteUser: {
    label: 'Löschen',
    title: (user) => `${user} löschen?`,
    effect:
      'Das Konto und seine Dateien werden gelöscht, und sein Abonnement endet. Nutzung, die noch auf keiner Rechnung steht, wird berechnet. Das kann nicht rückgängig gemacht werden.',
    confirm: 'Alles löschen',
  },
  seeAs: {
    reason: 'Grund',
    hint: 'Steht danach im Protokoll. Gilt 30 Minuten.',
    submit: 'Dienst als diese Person ansehen',
  },

  mail: {
    title: 'E-Mails',
    what: 'Liste der E-Mails',
    none: 'Keine E-Mails in den letzten 30 Tagen.',
    noSubject: 'Kein Betreff',
    sent: 'gesendet',
    failed: (error) => `fehlgeschlagen. ${error}`,
    onItsWay: 'unterwegs',
    confirm: 'E-Mail senden',
    done: 'Die E-Mail ist unterwegs.',
  },
  sendMail: {
    verification: 'Link zur Bestätigung senden',
    password_reset: 'Link für ein neues Passwort senden',
    welcome: 'Begrüßung senden',
    title: (label) => `${label}?`,
    effect: (address) =>
      `Die E-Mail geht an ${address ?? 'die Adresse des Kontos'}, höchstens einmal in fünf Minuten.`,
  },
  resendMail: {
    label: 'Erneut senden',
    title: 'Diese E-Mail erneut senden?',
    effect:
      'Die E-Mail geht innerhalb von fünf Minuten an dieselbe Adresse wie zuvor. Links darin können abgelaufen sein.',
  },

  team: {
    what: 'Team',
    id: 'ID',
    slug: 'Kurzname',
    plan: 'Plan',
    planWithSeats: (plan, seats) => `${plan}, Plätze: ${seats}`,
    invitations: 'Einladungen',
    owner: 'Owner',
  },
  changeOwner: {
    label: (member) => `${member} zum Owner machen`,
    title: (member) => `${member} zum Owner machen?`,
    effect: 'Der bisherige Owner wird Admin. Niemand wird um Zustimmung gebeten.',
    confirm: 'Owner ändern',
  },
  deleteTeam: {
    label: 'Team löschen',
    title: (team) => `${team} löschen?`,
    effect:
      'Alle Mitgliedschaften, Einladungen und Dateien werden gelöscht. Das kann nicht rückgängig gemacht werden.',
    effectIfSubscribed:
      'Alle Mitgliedschaften, Einladungen und Dateien werden gelöscht. Das Abonnement des Teams endet sofort und ohne Erstattung. Nutzung und Plätze, die noch auf keiner Rechnung stehen, werden berechnet. Das kann nicht rückgängig gemacht werden.',
    typed: 'Name des Teams',
    confirm: 'Für alle löschen',
    done: (team) => `${team} ist gelöscht.`,
  },

  givePlan: {
    plan: 'Plan',
    hint: 'Der Kurzname, zum Beispiel pro.',
    until: 'Bis',
    submit: 'Plan vergeben',
    done: 'Der Plan ist vergeben.',
    given: (plan, day) => `Der Plan ${plan} ist bis ${day} vergeben.`,
  },
  endPlan: {
    label: 'Vergebenen Plan beenden',
    title: 'Vergebenen Plan beenden?',
    effect: 'Ein bezahlter Plan bleibt.',
    confirm: 'Plan beenden',
  },
  entry: (action, actor) => `${action} von ${actor}`,
};
