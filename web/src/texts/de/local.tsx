import type { LOCAL as English } from '../en/local.tsx';

export const LOCAL: typeof English = {
  banner: 'Lokale Umgebung',
  runsHere: 'Diese Umgebung läuft auf Ihrem Rechner.',
  signInAs: (people) => `Melden Sie sich als ${people} an.`,
  signInWith: (people, password) => (
    <>
      Melden Sie sich als {people} mit dem Passwort {password} an.
    </>
  ),
  mail: 'Alle E-Mails',
  data: 'Alle Daten',
  document: 'API-Dokument',
  hide: 'Ausblenden',
};
