import type { ACTIVITY as English, Told } from '../en/activity.tsx';

type Actor = Pick<Told, 'actor' | 'byVisitor'>;

const has = ({ actor, byVisitor }: Actor) => `${actor} ${byVisitor ? 'haben' : 'hat'}`;

const is = ({ actor, byVisitor }: Actor) => `${actor} ${byVisitor ? 'sind' : 'ist'}`;

const ROLES: Readonly<Record<string, string>> = { owner: 'Owner', admin: 'Admin', member: 'Mitglied' };

const roleOf = (role: string | null | undefined) => ROLES[role ?? ''] ?? role ?? '';

const SENTENCES: (typeof English)['sentences'] = {
  'team.created': (told) => `${has(told)} das Team angelegt`,
  'team.updated': ({ details: { name, slug }, ...told }) =>
    name === undefined
      ? `${has(told)} den Kurznamen des Teams zu ${slug ?? ''} geändert`
      : `${has(told)} das Team in ${name ?? ''} umbenannt`,
  'team.transfer_offered': ({ whom, details, ...told }) =>
    details['coOwner'] === undefined
      ? `${has(told)} die Übergabe des Teams an ${whom} angeboten`
      : `${has(told)} ${whom} als weiteren Owner vorgeschlagen`,
  'team.transfer_declined': (told) => `${has(told)} das Angebot der Owner-Rolle abgelehnt`,
  'team.transfer_withdrawn': ({ whom, details, ...told }) =>
    details['reason'] === undefined
      ? `${has(told)} das Angebot der Owner-Rolle an ${whom} zurückgezogen`
      : `Das Angebot der Owner-Rolle an ${whom} ist erloschen`,
  'team.transferred': ({ whom, details, ...told }) =>
    details['offeredBy'] === undefined
      ? `${has(told)} das Team an ${whom} übergeben`
      : `${has(told)} das Team übernommen`,
  'team.deletion_started': (told) => `${has(told)} begonnen, das Team zu löschen`,
  'team.deleted': (told) => `${has(told)} das Team gelöscht`,
  'member.role_changed': ({ whom, details, ...told }) =>
    details['offeredBy'] === undefined
      ? `${has(told)} ${whom} zum ${roleOf(details['to'])} gemacht`
      : `${is(told)} jetzt ${roleOf(details['to'])}`,
  'member.removed': ({ email, ...told }) => `${has(told)} ${email} entfernt`,
  'member.left': ({ emailFirst }) => `${emailFirst} hat das Team verlassen`,
  'invitation.created': ({ email, details, ...told }) =>
    `${has(told)} ${email} als ${roleOf(details['role'])} eingeladen`,
  'invitation.resent': ({ email, ...told }) => `${has(told)} ${email} erneut eingeladen`,
  'invitation.cancelled': ({ email, details, ...told }) =>
    details['reason'] === undefined
      ? `${has(told)} die Einladung für ${email} zurückgezogen`
      : `Die Einladung für ${email} ist mit den Rechten des Absenders erloschen`,
  'invitation.accepted': ({ details, ...told }) => `${is(told)} als ${roleOf(details['role'])} beigetreten`,
  'invitation.rejected': ({ emailFirst }) => `${emailFirst} hat die Einladung abgelehnt`,
  'billing.checkout_begun': ({ details, ...told }) =>
    `${has(told)} begonnen, den Plan ${details['plan'] ?? ''} zu kaufen`,
  'billing.portal_opened': (told) => `${has(told)} das Abrechnungsportal geöffnet`,
  'billing.change_requested': ({ details, ...told }) =>
    details['when'] === 'period_end'
      ? `${has(told)} den Wechsel zum Plan ${details['plan'] ?? ''} vorgemerkt`
      : `${has(told)} zum Plan ${details['plan'] ?? ''} gewechselt`,
  'billing.add_on_requested': ({ details: { addOn, quantity }, ...told }) =>
    quantity === '0'
      ? `${has(told)} den Zusatz ${addOn ?? ''} entfernt`
      : `${has(told)} den Zusatz ${addOn ?? ''} auf ${quantity ?? ''} gesetzt`,
  'billing.cancel_requested': (told) => `${has(told)} das Abonnement gekündigt`,
  'billing.resume_requested': (told) => `${has(told)} das Abonnement fortgesetzt`,
  'billing.plan_changed': ({ details: { from, to } }) =>
    `Der Plan wurde von ${from ?? ''} zu ${to ?? ''} geändert`,
  'billing.duplicate_ended': () => 'Ein zweites Abonnement desselben Plans wurde beendet',
  'upload.removed': (told) => `${has(told)} eine Datei entfernt`,
  'upload.url_revoked': (told) => `${has(told)} den Link einer Datei ersetzt`,
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
  other: (told) => `${has(told)} etwas geändert`,
};
