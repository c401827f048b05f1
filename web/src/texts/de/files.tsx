import type { FILES as English } from '../en/files.tsx';

export const FILES: typeof English = {
  list: 'Dateiliste',

  page: {
    title: 'Dateien',
    own: 'Ihre Dateien',
    ofTeam: (team) => `Dateien von ${team}`,
    noneOwn: 'Sie haben noch keine Dateien. Legen Sie oben eine ab.',
    noneOfTeam: 'Das Team hat noch keine Dateien. Legen Sie oben eine ab.',
    showMore: 'Mehr anzeigen',
    notFound: 'Keine Datei hat diesen Namen.',
    notFoundAmong: (count) => `Keine der neuesten ${count} Dateien hat diesen Namen.`,
  },
  order: {
    label: 'Reihenfolge',
    newest: 'Neueste zuerst',
    name: 'Nach Namen',
    size: 'Größte zuerst',
  },
  storage: {
    name: 'Speicher',
    used: (used, limit) => `${used} von ${limit} belegt`,
  },

  upload: {
    title: 'Hochladen',
    private: 'Privat',
    privateHint:
      'Zwischenspeicher behalten keine Kopie. Ein neuer Link macht deshalb den alten überall ungültig.',
  },
  dropzone: {
    label: 'Dateien hier ablegen oder auswählen',
    hint: 'Bilder, PDF, Word oder reiner Text. Wer den Link hat, kann die Datei öffnen.',
    unknownType: 'Dateien dieser Art werden nicht angenommen. Senden Sie Bilder, PDF, Word oder reinen Text.',
  },
  sending: {
    forTeam: (team) => `für ${team}`,
    uploading: (file) => `${file} wird hochgeladen`,
    waiting: 'In der Warteschlange',
    paused: 'Angehalten',
    checking: 'Wird geprüft',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    cancel: 'Abbrechen',
    dismiss: 'Ausblenden',
  },
  announcement: {
    running: (count) => (count === 1 ? 'Eine Datei wird gesendet.' : `${count} Dateien werden gesendet.`),
    failed: (file, problem) => `${file} ist fehlgeschlagen: ${problem}`,
  },
  problems: {
    signIn: 'Melden Sie sich erneut an, um Dateien hochzuladen.',
    byRules:
      'Die Datei ist zu groß, ihre Art wird nicht angenommen, oder Ihre E-Mail-Adresse ist nicht bestätigt.',
    lost: 'Die Datei ist nicht angekommen. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
    refused: 'Die Datei wurde abgelehnt.',
    unchecked:
      'Die Prüfung der Datei dauert zu lange. Erscheint die Datei nicht in der Liste, senden Sie sie etwas später erneut.',
  },
  refusals: {
    email_unverified: 'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie Dateien hochladen.',
    forbidden: 'Sie dürfen hier nichts hochladen.',
    payload_too_large: 'Die Datei ist größer, als Ihr Plan erlaubt.',
    quota_exceeded: 'Ihr Speicher ist voll. Löschen Sie Dateien, oder wechseln Sie den Plan.',
    too_many_requests:
      'Sie haben viele Dateien hochgeladen. Warten Sie etwas, und versuchen Sie es dann erneut.',
    unsupported_media_type:
      'Der Inhalt der Datei passt nicht zu ihrer Endung, oder ihre Art wird nicht angenommen.',
  },

  row: {
    by: (sender) => `von ${sender}`,
    private: 'privat',
    linkOf: (file) => `zu ${file}`,
    noExtension: 'DATEI',
  },
  newLink: {
    label: 'Neuer Link',
    title: (file) => `Link zu ${file} ersetzen?`,
    effect: 'Der alte Link wird sofort für alle ungültig.',
    confirm: 'Link ersetzen',
    done: (file) => `${file} hat einen neuen Link.`,
  },
  delete: {
    label: 'Löschen',
    title: (file) => `${file} löschen?`,
    effect: 'Der Link zu dieser Datei wird sofort für alle ungültig.',
    confirm: 'Datei löschen',
    done: (file) => `${file} ist gelöscht.`,
  },
};
