import type { MailTexts, PlanValues } from './words.ts';

const ROLES: Readonly<Record<string, string>> = {
  owner: 'in der Rolle „Owner“',
  admin: 'in der Rolle „Admin“',
  member: 'als Mitglied',
};

export const DE: MailTexts = {
  hello: 'Guten Tag,',
  orOpen: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  support: 'Hilfe',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  somebody: 'Jemand',
  role: (role) => ROLES[role] ?? role,

  invitation: ({ app, sender, senderWithAddress, team, role, until }) => ({
    subject: `${sender} lädt Sie zu ${team} ein`,
    title: `Einladung zu ${team}`,
    paragraphs: [
      [
        { strong: senderWithAddress },
        ' lädt Sie ein, dem Team „',
        { strong: team },
        `“ bei ${app} ${role} beizutreten.`,
      ],
    ],
    button: 'Einladung annehmen',
    notes: [
      `Die Einladung gilt bis ${until}.`,
      `Falls Sie ${sender} nicht kennen, ignorieren Sie diese Nachricht.`,
    ],
    reason: `Sie erhalten diese Nachricht, weil ${sender} Ihre Adresse bei ${app} eingegeben hat.`,
    decline: 'Einladung ablehnen',
    unsubscribe: 'Keine Einladungen dieser App mehr erhalten',
  }),

  welcome: ({ app }) => ({
    subject: `Willkommen bei ${app}`,
    title: `Willkommen bei ${app}`,
    paragraphs: [
      'Ihr Konto ist bereit.',
      'Legen Sie ein Team an, und laden Sie die Menschen ein, mit denen Sie arbeiten.',
    ],
    button: 'Übersicht öffnen',
    reason: `Sie erhalten diese Nachricht, weil Sie ein Konto bei ${app} angelegt haben.`,
  }),

  verification: ({ app, email }) => ({
    subject: `Bestätigen Sie Ihre Adresse für ${app}`,
    title: 'Adresse bestätigen',
    paragraphs: [
      [
        'Bestätigen Sie, dass ',
        { strong: email },
        ` Ihre Adresse ist. Danach können Sie ${app} ganz nutzen.`,
      ],
    ],
    button: 'Adresse bestätigen',
    notes: ['Falls Sie kein Konto angelegt haben, ignorieren Sie diese Nachricht.'],
    reason: `Sie erhalten diese Nachricht, weil jemand Ihre Adresse bei ${app} eingegeben hat.`,
  }),

  passwordReset: ({ app, email }) => ({
    subject: `Neues Passwort für ${app}`,
    title: 'Neues Passwort wählen',
    paragraphs: [['Sie können ein neues Passwort für das Konto ', { strong: email }, ' wählen.']],
    button: 'Passwort wählen',
    notes: [
      'Der Link gilt eine Stunde. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Es hat sich nichts geändert.',
    ],
    reason: `Sie erhalten diese Nachricht, weil jemand bei ${app} ein neues Passwort angefordert hat.`,
  }),

  accountDeleted: ({ app }) => ({
    subject: `Ihr Konto bei ${app} ist gelöscht`,
    title: 'Ihr Konto ist gelöscht',
    paragraphs: [
      'Ihr Konto und seine Daten sind gelöscht. Ihr eigenes Abonnement ist beendet.',
      'Falls Sie das nicht veranlasst haben, melden Sie sich bei uns.',
    ],
    reason: `Sie erhalten diese Nachricht, weil zu dieser Adresse ein Konto bei ${app} gehörte. Es ist die letzte.`,
  }),

  joined: ({ app, member, team, role }) => ({
    subject: `${member} ist jetzt bei ${team}`,
    title: `${member} ist jetzt bei ${team}`,
    paragraphs: [
      [{ strong: member }, ` hat Ihre Einladung angenommen und gehört jetzt ${role} zum Team „${team}“.`],
    ],
    button: 'Team öffnen',
    reason: `Sie erhalten diese Nachricht, weil Sie die Einladung bei ${app} verschickt haben.`,
  }),

  asked: ({ app, member, team }) => ({
    subject: `${member} bittet um eine neue Einladung zu ${team}`,
    title: `${member} bittet um eine neue Einladung`,
    paragraphs: [
      [
        { strong: member },
        ` konnte die Einladung zum Team „${team}“ nicht verwenden und bittet um eine neue.`,
      ],
      'Laden Sie diese Adresse erneut ein, wenn diese Person zum Team gehören soll. Sonst ignorieren Sie diese Nachricht.',
    ],
    button: 'Team öffnen',
    reason: `Sie erhalten diese Nachricht, weil Sie bei ${app} in dieses Team einladen dürfen.`,
  }),

  removed: ({ app, team }) => ({
    subject: `Sie gehören nicht mehr zu ${team}`,
    title: `Sie gehören nicht mehr zu ${team}`,
    paragraphs: [
      ['Ein Owner oder Admin hat Sie aus dem Team „', { strong: team }, '“ entfernt.'],
      'Sie haben keinen Zugriff mehr auf seine Dateien und Mitglieder. Ihr Konto bleibt bestehen.',
    ],
    reason: `Sie erhalten diese Nachricht, weil Sie bei ${app} zu diesem Team gehörten.`,
  }),

  trialEnding: ({ until, mustAddPaymentMethod, ...values }) => ({
    subject: `Ihre Probezeit für ${values.plan} endet am ${until}`,
    title: 'Ihre Probezeit endet bald',
    paragraphs: [
      `Die kostenlose Probezeit des Plans ${planOf(values)} endet am ${until}.`,
      mustAddPaymentMethod
        ? 'Um den Plan zu behalten, hinterlegen Sie vor diesem Tag ein Zahlungsmittel. Sonst endet der Plan, und es entstehen keine Kosten.'
        : 'Danach wird der Plan über Ihr Zahlungsmittel abgerechnet. Um das zu vermeiden, kündigen Sie vor diesem Tag.',
    ],
    button: mustAddPaymentMethod ? 'Zahlungsmittel hinterlegen' : 'Abonnement verwalten',
    reason: reasonOfPlan(values),
  }),

  paymentFailed: ({ amount, hasInvoice, ...values }) => ({
    subject: `Ihre Zahlung für ${values.plan} ist fehlgeschlagen`,
    title: 'Ihre Zahlung ist fehlgeschlagen',
    paragraphs: [
      `Die Zahlung von ${amount} für den Plan ${planOf(values)} ist fehlgeschlagen.`,
      'Bezahlen Sie die Rechnung, oder aktualisieren Sie das Zahlungsmittel, damit der Plan weiterläuft.',
    ],
    button: hasInvoice ? 'Rechnung bezahlen' : 'Zahlungsmittel aktualisieren',
    reason: reasonOfPlan(values),
  }),

  receipt: ({ amount, hasInvoice, ...values }) => ({
    subject: `Ihre Quittung von ${values.app}`,
    title: 'Danke für Ihre Zahlung',
    paragraphs: [`Wir haben ${amount} für ${planOf(values)} erhalten.`],
    button: hasInvoice ? 'Rechnung öffnen' : 'Abonnement verwalten',
    reason: reasonOfPayment(values),
  }),

  planEnded: (values) => ({
    subject: `Ihr Plan ${values.plan} ist beendet`,
    title: 'Ihr Plan ist beendet',
    paragraphs: [
      `Der Plan ${planOf(values)} ist beendet.`,
      'Ihre Daten bleiben erhalten. Sie können jederzeit wieder einen Plan wählen.',
    ],
    button: 'Plan wählen',
    reason: reasonOfPlan(values),
  }),
};

function planOf({ plan, team }: PlanValues): string {
  return team === undefined ? plan : `${plan} des Teams „${team}“`;
}

function reasonOfPayment({ app, team }: PlanValues): string {
  const payment =
    team === undefined
      ? `bei ${app} bezahlt haben`
      : `die Abrechnung des Teams „${team}“ bei ${app} verwalten`;
  return `Sie erhalten diese Nachricht, weil Sie ${payment}.`;
}

function reasonOfPlan({ app, team }: PlanValues): string {
  const payer = team === undefined ? 'Sie einen Plan' : `Sie die Abrechnung des Teams „${team}“`;
  return `Sie erhalten diese Nachricht, weil ${payer} bei ${app} verwalten.`;
}
