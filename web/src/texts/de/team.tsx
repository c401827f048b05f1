import type { TEAM as English } from '../en/team.tsx';

/** The pages of a team. */
export const TEAM: typeof English = {
  team: 'Team',
  yourself: 'Sie selbst',
  withoutName: 'Jemand ohne Namen',
  hasLeft: 'Ein ehemaliges Mitglied',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Mitglied' },

  page: {
    inviters: (team) => `Owner und Admins von ${team} können einladen.`,
    readers: (team) => `Owner und Admins von ${team} sehen die Aktivität des Teams.`,
    choose: 'Wählen Sie oben auf der Seite ein Team.',
    dashboard: 'Zur Übersicht',
    none: 'Sie gehören noch zu keinem Team.',
    create: 'Legen Sie in der Übersicht eines an',
    seats: (taken, limit) => `${taken ?? '…'} von ${limit} ${limit === 1 ? 'Platz' : 'Plätzen'} belegt`,
  },

  members: {
    names: ['Mitglied', 'Mitglieder'],
    hint: 'Anfang eines Namens oder einer Adresse',
    role: 'Rolle',
    filters: { all: 'Alle Rollen', owner: 'Owner', admin: 'Admins', member: 'Mitglieder' },
    columns: ['Mitglied', 'Rolle', 'Beigetreten', 'Aktionen'],
    noneWithRole: 'Kein Mitglied hat diese Rolle.',
    noneFound: 'Kein Name und keine Adresse beginnt so.',
    you: (name) => `${name} (Sie)`,
    joined: (date, onPhone) => (
      <>
        {onPhone('beigetreten: ')}
        {date}
      </>
    ),
    roleOf: (name) => `Rolle von ${name}`,
    lower: (name, role) => `Rolle von ${name} zu ${role} ändern?`,
    lowerEffect:
      'Diese Person verliert sofort Rechte. Einladungen und Angebote der Owner-Rolle, für die sie ihre jetzige Rolle braucht, enden.',
    lowerOwn: (role) => `Ihre Rolle zu ${role} ändern?`,
    lowerOwnEffect:
      'Sie verlieren sofort Rechte und können sie sich nicht selbst zurückgeben. Einladungen und Angebote der Owner-Rolle, für die Sie Ihre jetzige Rolle brauchen, enden.',
    changeRole: 'Rolle ändern',
    remove: 'Entfernen',
    removeWhom: (name) => `${name} entfernen?`,
    removeEffect: (team) =>
      `Diese Person verliert sofort den Zugriff auf ${team}. Sie können sie wieder einladen.`,
    removeFromTeam: 'Aus dem Team entfernen',
    removed: (name) => `${name} ist kein Mitglied mehr.`,
  },

  invitations: {
    names: ['Einladung', 'Einladungen'],
    invite: 'Einladen',
    email: 'E-Mail',
    role: 'Rolle',
    send: 'Einladung senden',
    sent: (email) => `${email} ist eingeladen.`,
    hint: 'Anfang einer Adresse',
    status: 'Status',
    statuses: {
      pending: 'Wartet auf Antwort',
      accepted: 'Angenommen',
      rejected: 'Abgelehnt',
      cancelled: 'Zurückgezogen',
    },
    columns: ['Adresse', 'Rolle', 'Status', 'Aktionen'],
    noneWithStatus: {
      pending: 'Keine Einladung ist offen.',
      accepted: 'Keine Einladung wurde angenommen.',
      rejected: 'Keine Einladung wurde abgelehnt.',
      cancelled: 'Keine Einladung wurde zurückgezogen.',
    },
    noneFound: 'Keine Adresse beginnt so.',
    expires: (when) => `läuft ${when} ab`,
    expired: (when) => `${when} abgelaufen`,
    ended: {
      accepted: (date) => (date === undefined ? 'angenommen' : `am ${date} angenommen`),
      rejected: (date) => (date === undefined ? 'abgelehnt' : `am ${date} abgelehnt`),
      cancelled: (date) => (date === undefined ? 'zurückgezogen' : `am ${date} zurückgezogen`),
    },
    linkHolder: 'Wer den Link hat',
    copyFor: (email) => `für ${email}`,
    resend: 'Erneut senden',
    resendTo: (email) => `Erneut senden an ${email}`,
    resent: 'Erneut gesendet.',
    withdraw: 'Zurückziehen',
    withdrawOne: (email) =>
      email === null ? 'Einladungslink zurückziehen' : `Einladung für ${email} zurückziehen`,
    withdrawn: (email) =>
      email === null
        ? 'Der Einladungslink ist zurückgezogen.'
        : `Die Einladung für ${email} ist zurückgezogen.`,
    seePlans: 'Pläne mit mehr Plätzen ansehen',
    buyer: (owner) => `${owner ?? 'Ein Owner des Teams'} kann einen Plan mit mehr Plätzen kaufen.`,
  },

  link: {
    summary: 'Jemanden ohne E-Mail-Adresse einladen',
    lead: 'Mit dem Link kann eine Person beitreten. Senden Sie ihn nur an die Person, die Sie einladen.',
    role: 'Rolle der Person',
    make: 'Link erstellen',
    made: 'Kopieren Sie den Link jetzt. Er wird nicht noch einmal angezeigt.',
    copyAbout: 'der Einladung',
  },

  activity: {
    names: ['Eintrag', 'Einträge'],
    hint: 'Von einem Mitglied: der Anfang des Namens oder der Adresse',
    kind: 'Art',
    kinds: {
      all: 'Alles',
      team: 'Team',
      member: 'Mitglieder',
      invitation: 'Einladungen',
      billing: 'Abrechnung',
      upload: 'Dateien',
      admin: 'Support',
    },
    columns: ['Aktivität', 'Zeit'],
    none: 'Noch ist nichts geschehen.',
    nobody: 'Kein Mitglied hat einen Namen oder eine Adresse mit diesem Anfang.',
  },

  settings: {
    name: 'Name',
    rename: 'Umbenennen',
    renamed: 'Das Team hat einen neuen Namen.',
    needsOwner:
      'Ein Team braucht einen Owner. Bieten Sie einem Mitglied die Owner-Rolle an, bevor Sie das Team verlassen.',
    leave: 'Team verlassen',
    leaveTeam: (team) => `${team} verlassen?`,
    leaveEffect: 'Sie verlieren sofort den Zugriff. Um zurückzukommen, brauchen Sie eine Einladung.',
    leaveNow: 'Verlassen',
    left: (team) => `Sie haben ${team} verlassen.`,
    delete: 'Team löschen',
    deleteTeam: (team) => `${team} löschen?`,
    deleteEffect: (hasSubscription) =>
      hasSubscription
        ? 'Alle Mitgliedschaften, Einladungen und Dateien werden gelöscht. Das Abonnement des Teams endet sofort, ohne Erstattung. Nutzung und Plätze, die noch auf keiner Rechnung stehen, werden berechnet. Das kann nicht rückgängig gemacht werden.'
        : 'Alle Mitgliedschaften, Einladungen und Dateien werden gelöscht. Das kann nicht rückgängig gemacht werden.',
    nameToDelete: 'Name des Teams',
    deleteForAll: 'Für alle löschen',
    deleted: (team) => `${team} ist gelöscht.`,
  },

  transfer: {
    offer: 'Owner-Rolle anbieten',
    offerOf: (team) => `Owner-Rolle für ${team} anbieten`,
    lead: 'Bis das Mitglied annimmt, ändert sich nichts. So lange können Sie das Angebot zurückziehen.',
    member: 'Mitglied',
    chooseMember: 'Mitglied wählen',
    kind: 'Art',
    kinds: {
      transfer: 'Das Mitglied ersetzt Sie als Owner',
      'co-owner': 'Das Mitglied wird zweiter Owner',
    },
    nameToConfirm: 'Name des Teams zur Bestätigung',
    offerTo: (name) => `Owner-Rolle anbieten: ${name ?? 'kein Mitglied gewählt'}`,
    offered: 'Das Angebot gilt sieben Tage.',
  },

  offer: {
    title: 'Angebot der Owner-Rolle',
    toYou: (from, team) =>
      `${from} bietet Ihnen ${team} an. Sie werden der verantwortliche Owner, und die andere Person wird Admin.`,
    toYouAsCoOwner: (from, team) =>
      `${from} bietet Ihnen an, Owner von ${team} zu werden. Die andere Person bleibt ebenfalls Owner.`,
    toMember: (name) => `${name} hat das Angebot, das Team zu übernehmen, noch nicht beantwortet.`,
    toMemberAsCoOwner: (name) => `${name} hat das Angebot, weiterer Owner zu werden, noch nicht beantwortet.`,
    until: (date) => `Offen bis ${date}`,
    accept: 'Annehmen',
    acceptOffer: 'Angebot der Owner-Rolle annehmen',
    decline: 'Ablehnen',
    declineOffer: 'Angebot der Owner-Rolle ablehnen',
    withdraw: 'Zurückziehen',
    withdrawOffer: 'Angebot der Owner-Rolle zurückziehen',
  },
};
