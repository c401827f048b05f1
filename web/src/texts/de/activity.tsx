import type { ACTIVITY as English, NamedEntry } from '../en/activity.tsx';

type Actor = Pick<NamedEntry, 'actor' | 'byVisitor'>;

const has = ({ actor, byVisitor }: Actor) => `${actor} ${byVisitor ? 'haben' : 'hat'}`;

const is = ({ actor, byVisitor }: Actor) => `${actor} ${byVisitor ? 'sind' : 'ist'}`;

const ROLES: Readonly<Record<string, string>> = { owner: 'Owner', admin: 'Admin', member: 'Mitglied' };

const roleOf = (role: string | null | undefined) => ROLES[role ?? ''] ?? role ?? '';

const SENTENCES: (typeof English)['sentences'] = {
  'team.created': (entry) => `${has(entry)} das Team angelegt`,
  'team.updated': ({ details: { name, slug }, ...entry }) =>
    name === undefined
      ? `${has(entry)} den Kurznamen des Teams zu ${slug ?? ''} geändert`
      : `${has(entry)} das Team in ${name ?? ''} umbenannt`,
  'team.transfer_offered': ({ whom, details, ...entry }) =>
    details['coOwner'] === undefined
      ? `${has(entry)} die Übergabe des Teams an ${whom} angeboten`
      : `${has(entry)} ${whom} als weiteren Owner vorgeschlagen`,
  'team.transfer_declined': (entry) => `${has(entry)} das Angebot der Owner-Rolle abgelehnt`,
  'team.transfer_withdrawn': ({ whom, details, ...entry }) =>
    details['reason'] === undefined
      ? `${has(entry)} das Angebot der Owner-Rolle an ${whom} zurückgezogen`
      : `Das Angebot der Owner-Rolle an ${whom} ist erloschen`,
  'team.transferred': ({ whom, details, ...entry }) =>
    details['offeredBy'] === undefined
      ? `${has(entry)} das Team an ${whom} übergeben`
      : `${has(entry)} das Team übernommen`,
  'team.deletion_started': (entry) => `${has(entry)} begonnen, das Team zu löschen`,
  'team.deleted': (entry) => `${has(entry)} das Team gelöscht`,
  'member.role_changed': ({ whom, details, ...entry }) =>
    details['offeredBy'] === undefined
      ? `${has(entry)} ${whom} zum ${roleOf(details['to'])} gemacht`
      : `${is(entry)} jetzt ${roleOf(details['to'])}`,
  'member.removed': ({ email, ...entry }) => `${has(entry)} ${email} entfernt`,
  'member.left': ({ emailFirst }) => `${emailFirst} hat das Team verlassen`,
  'invitation.created': ({ email, details, ...entry }) =>
    `${has(entry)} ${email} als ${roleOf(details['role'])} eingeladen`,
  'invitation.resent': ({ email, ...entry }) => `${has(entry)} ${email} erneut eingeladen`,
  'invitation.cancelled': ({ email, details, ...entry }) =>
    details['reason'] === undefined
      ? `${has(entry)} die Einladung für ${email} zurückgezogen`
      : `Die Einladung für ${email} ist mit den Rechten des Absenders erloschen`,
  'invitation.accepted': ({ details, ...entry }) => `${is(entry)} als ${roleOf(details['role'])} beigetreten`,
  'invitation.rejected': ({ emailFirst }) => `${emailFirst} hat die Einladung abgelehnt`,
  'billing.checkout_begun': ({ details, ...entry }) =>
    `${has(entry)} begonnen, den Plan ${details['plan'] ?? ''} zu kaufen`,
  'billing.portal_opened': (entry) => `${has(entry)} das Abrechnungsportal geöffnet`,
  'billing.change_requested': ({ details, ...entry }) =>
    details['when'] === 'period_end'
      ? `${has(entry)} den Wechsel zum Plan ${details['plan'] ?? ''} vorgemerkt`
      : `${has(entry)} zum Plan ${details['plan'] ?? ''} gewechselt`,
  'billing.add_on_requested': ({ details: { addOn, quantity }, ...entry }) =>
    quantity === '0'
      ? `${has(entry)} den Zusatz ${addOn ?? ''} entfernt`
      : `${has(entry)} den Zusatz ${addOn ?? ''} auf ${quantity ?? ''} gesetzt`,
  'billing.cancel_requested': (entry) => `${has(entry)} das Abonnement gekündigt`,
  'billing.resume_requested': (entry) => `${has(entry)} das Abonnement fortgesetzt`,
  'billing.plan_changed': ({ details: { from, to } }) =>
    `Der Plan wurde von ${from ?? ''} zu ${to ?? ''} geändert`,
  'billing.duplicate_ended': () => 'Ein zweites Abonnement desselben Plans wurde beendet',
  'upload.removed': (entry) => `${has(entry)} eine Datei entfernt`,
  'upload.url_revoked': (entry) => `${has(entry)} den Link einer Datei ersetzt`,
  'admin.owner_changed': ({ whom }) => `Der Support hat ${whom} zum Owner gemacht`,
  'admin.plan_given': ({ details: { plan }, until }) =>
    `Der Support hat dem Team den Plan ${plan ?? ''} bis ${until} gegeben`,
  'admin.plan_taken': () => 'Der Support hat den Plan beendet, den er dem Team gegeben hatte',
  'admin.invitation_resent': () => 'Der Support hat eine Einladung erneut gesendet',
  'admin.upload_removed': () => 'Der Support hat eine Datei entfernt',
  'admin.subscription_synced': () => 'Der Support hat das Abonnement aktualisiert',
  'admin.checkout_linked': () => 'Der Support hat dem Team eine Zahlung zugeordnet',
};

/** Inside a sentence, people are in the accusative, in which names do not change. */
export const ACTIVITY: typeof English = {
  first: {
    visitor: 'Sie',
    former: 'Ein ehemaliges Mitglied',
    unknown: 'Jemand',
    deleted: 'Jemand mit gelöschtem Konto',
  },
  inside: {
    visitor: 'Sie',
    former: 'ein ehemaliges Mitglied',
    unknown: 'jemanden',
    deleted: 'jemanden mit gelöschtem Konto',
  },
  sentences: SENTENCES,
  other: (entry) => `${has(entry)} etwas geändert`,
};
