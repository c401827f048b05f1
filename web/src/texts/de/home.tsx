import type { HOME as English } from '../en/home.tsx';

export const HOME: typeof English = {
  title: 'Das Backend, um das sich Ihr Team versammelt',
  lead: 'Konten, Abonnements, Teams und Dateien auf Firebase.',
  dashboard: 'Zur Übersicht',
  signIn: 'Anmelden',
  plans: 'Pläne ansehen',
  features: {
    accounts: {
      title: 'Konten',
      text: 'Sichere Anmeldung und eine Liste Ihrer Geräte. Sitzungen enden sofort, auf jedem Gerät, das Sie wählen.',
    },
    teams: {
      title: 'Teams',
      text: 'Laden Sie Menschen per E-Mail ein, geben Sie ihnen Rollen, und übergeben Sie ein Team, wenn es so weit ist.',
    },
    billing: {
      title: 'Abrechnung',
      text: 'Monatliche oder jährliche Pläne, Rechnungen und Wechsel mit einer Vorschau des Preises.',
    },
    files: {
      title: 'Dateien',
      text: 'Bilder und Dokumente, am Inhalt geprüft. Links, die Sie ersetzen können.',
    },
  },
};
