import type { Role } from '@hearth/shared/roles';
import type { DASHBOARD as English } from '../en/dashboard.tsx';

const ROLES: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Mitglied' };

export const DASHBOARD: typeof English = {
  hello: (name) => (name === undefined ? 'Guten Tag' : `Guten Tag, ${name}`),
  arrival: {
    welcome: (team) => `Willkommen bei ${team}! Sie sind jetzt Mitglied.`,
    declined: 'Sie haben die Einladung abgelehnt.',
    answerBelow: 'Sie sind eingeladen. Nehmen Sie die Einladung unten an, oder lehnen Sie sie ab.',
  },

  verification: (email) => (
    <>
      Ihre Adresse {email} ist nicht bestätigt. Öffnen Sie den Link in der Nachricht, die wir Ihnen geschickt
      haben. Danach können Sie Menschen einladen, Einladungen annehmen und Dateien hochladen.
    </>
  ),

  sharedInvitation: {
    title: 'Sie haben einen Einladungslink',
    invitesYou: (sender) => `${sender ?? 'Jemand'} lädt Sie in ein Team ein.`,
  },
  invitations: {
    title: 'Sie sind eingeladen',
    list: 'Ihre Einladungen',
    offer: (role, until) => `Rolle: ${ROLES[role]} · offen bis ${until}`,
    accept: 'Annehmen',
    acceptTeam: (team) => `Annehmen: Einladung zu ${team}`,
    decline: 'Ablehnen',
    declineTeam: (team) => `Ablehnen: Einladung zu ${team}`,
    noSeat: (team) => `Ein Owner von ${team} kann einen Plan mit mehr Plätzen kaufen.`,
  },

  overview: {
    ownPlan: 'Ihr eigener Plan',
    billing: 'Abrechnung',
    ownFiles: 'Ihre Dateien',
    plan: 'Plan',
    team: 'Team',
    role: (role) => ROLES[role],
    seats: 'Plätze',
    seatsTaken: (taken, limit) => `${taken ?? '…'} von ${limit} belegt`,
    members: 'Mitglieder',
    invite: 'Menschen einladen',
    teamFiles: 'Dateien des Teams',
  },

  newTeam: {
    firstTitle: 'Ihr erstes Team',
    first: 'Sie gehören noch zu keinem Team. Legen Sie eines an, oder öffnen Sie eine Einladung.',
    title: 'Weiteres Team',
    name: 'Neues Team',
    create: 'Team anlegen',
    isReady: (team) => `${team} ist bereit. Laden Sie jemanden ein.`,
  },
};
