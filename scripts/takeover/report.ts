/** One line of the report: a subscription, or a customer with a problem. */
export interface Row {
  customer: string;
  stripeCustomer: string;
  subscription?: string;
  /** Status in Firestore before the takeover, and at Stripe. */
  before?: string;
  now?: string;
  /** Slug of the plan. */
  plan?: string;
  /** A fact for the operator. */
  note?: string;
}

const COLUMNS = ['customer', 'stripeCustomer', 'subscription', 'before', 'now', 'plan', 'note'] as const;

const HEADINGS: Record<(typeof COLUMNS)[number], string> = {
  customer: 'customer',
  stripeCustomer: 'Stripe customer',
  subscription: 'subscription',
  before: 'in Firestore',
  now: 'at Stripe',
  plan: 'plan',
  note: 'note',
};

/** The rows as a table of plain text. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [HEADINGS, ...rows].map((row: Partial<Row>) => COLUMNS.map((column) => row[column] ?? '-'));
  const widths = COLUMNS.map((_column, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A subscription before and after, for the note of its row. */
export interface Comparison {
  before: { status: string; role: string | null } | undefined;
  /** Undefined if Stripe does not have it. */
  status: string | undefined;
  plan: string | undefined;
  isRunning: boolean;
  /** Ids of the prices. */
  prices: readonly string[];
}

/** The difference that an operator should see. Undefined if nothing changes for the customer. */
export function noteOf({ before, status, plan, isRunning, prices }: Comparison): string | undefined {
  if (status === undefined) return 'Stripe does not have it, so our copy is deleted';
  if (isRunning && plan === undefined) return `is paid for and gives no plan: ${prices.join(', ')}`;
  if (before === undefined) return 'was missing in Firestore';
  if (before.status !== status) return 'the status has changed';
  if (isRunning && before.role !== null && before.role !== plan) {
    return `the role ${before.role} becomes ${plan ?? 'none'}`;
  }
  return undefined;
}
