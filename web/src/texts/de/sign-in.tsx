import type { SIGN_IN as English } from '../en/sign-in.tsx';

const ROLES: Readonly<Record<string, string>> = {
  owner: 'in der Rolle „Owner“',
  admin: 'in der Rolle „Admin“',
  member: 'als Mitglied',
};

export const SIGN_IN: typeof English = {
  signIn: 'Anmelden',
  sessionEnded: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an, um fortzufahren.',
  signUp: 'Konto anlegen',
  createAccount: 'Konto anlegen',
  reset: 'Passwort zurücksetzen',
  forgot: 'Passwort vergessen?',
  haveAccount: 'Ich habe schon ein Konto',
  back: 'Zurück zur Anmeldung',
  google: 'Weiter mit Google',
  orEmail: 'oder mit E-Mail',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen; ein Satz ist gut.',
  name: 'Ihr Name',
  resetLead: 'Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  sendReset: 'Link senden',
  resetSent: 'Falls es ein Konto mit dieser Adresse gibt, ist eine Nachricht mit einem Link unterwegs.',

  code: {
    title: 'Geben Sie Ihren Code ein',
    label: 'Code',
    hint: 'Die Ziffern, die Ihre Authentifizierungs-App jetzt anzeigt.',
    otherFactor: 'Dieses Konto hat einen zweiten Faktor, den diese Seiten nicht unterstützen.',
  },

  invited: {
    label: 'Einladung',
    somebody: 'Jemand',
    by: (sender, team, role) => (
      <>
        {sender} lädt Sie ein, dem Team {team} {ROLES[role] ?? role} beizutreten.
      </>
    ),
    link: (until) => `Eine Person kann diesen Link benutzen, bis ${until}.`,
    forAddress: (email, until) => `Die Einladung ist für ${email}, bis ${until}.`,
    unknown:
      'Sie sind in ein Team eingeladen. Benutzen Sie die Adresse, an die die Einladung gesendet wurde.',
    closed: (reason) => `${reason} Sie können sich trotzdem anmelden.`,
    ask: 'Um eine neue Einladung bitten',
    incomplete: 'Dieser Link ist unvollständig',
    incompleteLead:
      'Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn ganz. Wenn das nicht hilft, bitten Sie um eine neue Einladung.',
    without: 'Ohne ihn anmelden',
  },

  confirm: {
    title: 'Sie sind angemeldet',
    lead: 'Ein Link hat Sie hierher geschickt. Gehen Sie nur weiter, wenn Sie diese Seite öffnen wollten.',
    proceed: 'Weiter',
    dashboard: 'Zur Übersicht',
  },

  verification: {
    missing: 'E-Mail-Adresse nicht bestätigt',
    title: 'Bestätigen Sie Ihre Adresse',
    lead: (email) => (
      <>
        Eine Einladung gilt für den Inhaber ihrer Adresse. Wir haben eine Nachricht an {email} gesendet.
        Öffnen Sie den Link darin, dann geht es auf dieser Seite weiter.
      </>
    ),
    notYet: 'Ihre Adresse ist noch nicht bestätigt. Öffnen Sie zuerst den Link in der Nachricht.',
    proceed: 'Ich habe bestätigt, weiter',
    again: 'Nachricht erneut senden',
    otherAccount: 'Anderes Konto benutzen',
    sent: 'Die Nachricht ist unterwegs. Sehen Sie auch im Spam-Ordner nach.',
  },

  action: {
    titles: {
      verifyEmail: 'Adresse bestätigen',
      resetPassword: 'Neues Passwort wählen',
      recoverEmail: 'Alte Adresse wiederherstellen',
      verifyAndChangeEmail: 'Neue Adresse bestätigen',
      revertSecondFactorAddition: 'Neuen zweiten Faktor entfernen',
    },
    incomplete: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der Nachricht.',
    useless: 'Dieser Link bewirkt nichts',
    signIn: 'Zur Anmeldung',
    passwordSaved: 'Ihr Passwort wurde geändert.',
    savePassword: 'Passwort speichern',
    verified: 'Ihre Adresse ist bestätigt.',
    recoveredAddress: 'Die Adresse gehört wieder Ihnen.',
    recovered:
      'Die Adresse gehört wieder Ihnen. Wir haben Ihnen eine Nachricht gesendet, um ein neues Passwort zu wählen.',
    recoveredOnly:
      'Die Adresse gehört wieder Ihnen. Vielleicht kennt jemand Ihr Passwort: Wählen Sie auf der Anmeldeseite ein neues.',
    factorRemoved: 'Der zweite Faktor ist entfernt.',
    reverted:
      'Der zweite Faktor ist entfernt. Wir haben Ihnen eine Nachricht gesendet, um ein neues Passwort zu wählen.',
    revertedOnly:
      'Der zweite Faktor ist entfernt. Vielleicht kennt jemand Ihr Passwort: Wählen Sie auf der Anmeldeseite ein neues.',
    next: 'Weiter',
  },
};
