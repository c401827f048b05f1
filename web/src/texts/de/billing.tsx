import type { BILLING as English } from '../en/billing.tsx';

const EVERY = { month: 'im Monat', year: 'im Jahr' } as const;
const BY = { month: 'monatlich', year: 'jährlich' } as const;

export const BILLING: typeof English = {
  title: 'Abrechnung',
  plans: 'Die Pläne',
  subscription: 'Das Abonnement',
  leftCheckout: 'Sie haben die Kasse verlassen. Es wurde nichts berechnet.',
  code: (code) => `Der Gutscheincode ${code} gilt für ein Abonnement, das Sie hier beginnen.`,
  notAllowed: (team) => `Owner und Admins verwalten die Abrechnung von ${team}. Dies ist Ihr eigener Plan.`,
  noSeats:
    'Ein Plan für Sie selbst gibt Ihren Teams keine Plätze. Wählen Sie oben ein Team, um für dieses zu kaufen.',
  unverified: (email) => (
    <>
      Ihre Adresse {email} ist nicht bestätigt. Die kostenlose Probezeit braucht eine bestätigte Adresse.
      Öffnen Sie vor dem Abonnieren den Link in der Nachricht, die wir Ihnen geschickt haben.
    </>
  ),

  current: {
    yours: 'Ihr Plan',
    ofTeam: 'Der Plan des Teams',
    free: 'Kostenlos',
    youHaveNone: 'Sie haben kein Abonnement.',
    teamHasNone: 'Das Team hat kein Abonnement.',
    owned: (plan) => `${plan} ist bezahlt und endet nicht.`,
    comped: (plan, until) =>
      until === undefined ? `${plan} ist kostenlos.` : `${plan} ist bis ${until} kostenlos.`,
    fromAppStore: (plan, until, mayRenew) => {
      const bought = `${plan} wurde in einem App Store gekauft.`;
      if (until === undefined) return bought;
      return `${bought} Es endet am ${until}${mayRenew ? ', falls es dort nicht verlängert wird' : ''}.`;
    },
    givesNothing: (plan) => `Das Abonnement von ${plan} gibt zurzeit keinen Plan.`,
    isReplaced: (plan) =>
      `Das Abonnement von ${plan} gibt keinen Plan mehr. Es endet, wenn Sie neu abonnieren.`,
    isToOther: (plan) => `Das Abonnement gilt für ${plan}.`,
    manage: 'Abrechnung verwalten',
    onStripe: 'Rechnungsadresse, Steuernummern und mehr auf den Seiten von Stripe.',
    unpaid: 'Eine Rechnung ist zu bezahlen.',
    pay: 'Rechnung bezahlen',
    planned: (plan, date) =>
      plan === undefined ? `Der Plan wechselt am ${date}.` : `Der Plan wechselt am ${date} zu ${plan}.`,
    plannedInterval: (interval, date) => `Ab dem ${date} zahlen Sie ${BY[interval]}.`,
    plannedBySupport: (date) =>
      `Der Support hat für den ${date} eine Änderung dieses Abonnements geplant. Fragen Sie ihn danach.`,
    paymentMethod: 'Zahlungsart ändern',
  },

  states: {
    cancelled: (end) => `Gekündigt: Es endet am ${end}.`,
    trial: (end) => `In der Probezeit bis ${end}.`,
    active: (end) => `Aktiv: Es verlängert sich am ${end}.`,
    pastDue: 'Die letzte Zahlung ist fehlgeschlagen. Ändern Sie Ihre Zahlungsart.',
    unpaid: 'Die letzte Zahlung ist fehlgeschlagen.',
    paused: 'Pausiert.',
    ended: 'Nicht aktiv.',
  },

  cancel: {
    title: 'Abonnement kündigen',
    atOnce: 'Es endet sofort.',
    endsWithPeriod: 'Es endet mit dem bezahlten Zeitraum. Bis dahin bleibt alles, wie es ist.',
    endsOn: (end) => `Es endet am ${end}. Bis dahin bleibt alles, wie es ist.`,
    reason: 'Grund',
    reasons: {
      other: 'Ein anderer Grund',
      too_expensive: 'Es ist zu teuer',
      missing_features: 'Es fehlt etwas',
      switched_service: 'Ich nutze jetzt etwas anderes',
      unused: 'Ich nutze es zu selten',
      customer_service: 'Der Kundendienst',
      too_complex: 'Es ist zu kompliziert',
      low_quality: 'Die Qualität',
    },
    comment: 'Anmerkung',
    keep: 'Abonnement behalten',
    resume: 'Abonnement fortsetzen',
  },

  change: {
    to: (plan) => `Zu ${plan} wechseln`,
    payBy: (plan, interval) => `${plan} ${BY[interval]} bezahlen`,
    when: 'Zeitpunkt',
    now: 'Sofort, die Differenz wird berechnet oder erstattet',
    periodEnd: 'Am Ende des bezahlten Zeitraums',
    submitNow: 'Jetzt wechseln',
    submitLater: 'Später wechseln',
    nowInstead: 'Stattdessen sofort',
    keep: 'Plan behalten',
    amount: 'Der Betrag',
    invoiceOf: (date) => `Die Rechnung vom ${date}`,
    item: 'Posten',
    toPay: 'Zu zahlen',
    unpaid: 'Die Zahlung ist fehlgeschlagen. Der Plan wechselt, sobald die Rechnung bezahlt ist.',
    pay: 'Rechnung bezahlen',
    close: 'Schließen',
  },

  terms: {
    pay: 'Zahlung',
    month: 'Monatlich',
    year: 'Jährlich',
    saving: (percent) => `bis zu ${percent} % sparen`,
    currency: 'Währung',
  },

  offer: {
    plans: 'Pläne',
    yourPlan: 'Ihr Plan',
    free: 'Kostenlos',
    notOnSale: 'Nicht erhältlich',
    once: 'einmalig',
    every: (interval) => EVERY[interval],
    perMember: (interval) => `je Mitglied ${EVERY[interval]}`,
    eachMember: (amount, included) =>
      included === 0
        ? `und ${amount} für jedes Mitglied`
        : `und ${amount} für jedes Mitglied nach den ersten ${included}`,
    seats: (count) => (count === 1 ? '1 Platz' : `${count} Plätze`),
    seatsInTeam: (count) => (count === 1 ? 'Ein Platz' : `${count} Plätze in einem Team`),
    files: (size) => `${size} für Dateien`,
    fileSize: (size) => `Dateien bis ${size}`,
    buyOnce: (item, amount) => `${item} einmalig für ${amount} kaufen`,
    buy: (item, amount) => `${item} für ${amount} kaufen`,
    subscribe: (plan) => `${plan} abonnieren`,
    change: (plan) => `Zu ${plan} wechseln`,
    start: 'Kostenlos beginnen',
    choose: (plan) => `${plan} wählen`,
  },

  comparison: {
    label: 'Vergleich der Pläne',
    title: 'Pläne vergleichen',
    price: 'Preis',
    seats: 'Plätze in einem Team',
    storage: 'Speicher',
    fileSize: 'Größte Datei',
    included: 'Enthalten',
    notIncluded: 'Nicht enthalten',
  },

  credits: { title: 'Guthaben', count: (count) => `Guthaben: ${count}` },

  invoices: {
    title: 'Rechnungen',
    empty: 'Es gibt noch keine Rechnungen.',
    more: 'Mehr anzeigen',
    date: 'Datum',
    amount: 'Betrag',
    status: 'Status',
    documents: 'Dokumente',
    statuses: { open: 'Offen', paid: 'Bezahlt', void: 'Storniert', uncollectible: 'Nicht eingezogen' },
    pay: 'Bezahlen',
    payInvoice: (number) => `Rechnung ${number} bezahlen`,
    view: 'Ansehen',
    viewInvoice: (number) => `Rechnung ${number} ansehen`,
    pdfOf: (number) => `PDF der Rechnung ${number}`,
  },

  success: {
    subscribed: {
      eyebrow: 'Kauf abgeschlossen',
      title: 'Vielen Dank',
      text: 'Das Abonnement ist aktiv.',
    },
    paid: { eyebrow: 'Kauf abgeschlossen', title: 'Vielen Dank', text: 'Die Zahlung ist eingegangen.' },
    waiting: {
      eyebrow: 'Kasse',
      title: 'Warten auf die Zahlung',
      text: 'Stripe bestätigt sie gleich. Diese Seite zeigt es an.',
    },
    late: {
      eyebrow: 'Kasse',
      title: 'Noch keine Zahlung',
      text: 'Wenn Sie bezahlt haben, beginnt der Plan, sobald Stripe es bestätigt. Wenn nicht, wird nichts berechnet.',
    },
    dashboard: 'Zur Übersicht',
    billing: 'Abrechnung',
  },
};
