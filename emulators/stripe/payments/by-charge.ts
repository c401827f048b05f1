import { pageParams } from '../api/list.ts';
import { text, timeRange } from '../api/parameters/params.ts';
import type { Parsed } from '../api/parameters/params.ts';

/** The parameters of a list of refunds or disputes. */
export const byChargeParams = { ...pageParams, charge: text(), created: timeRange(), payment_intent: text() };

interface OfCharge {
  charge: string | null;
  created: number;
  payment_intent: string | null;
}

/** Whether a refund or dispute belongs to the charge, payment intent and time that a list asks for. */
export function isOfCharge({
  charge,
  created,
  payment_intent: intent,
}: Parsed<typeof byChargeParams>): (row: OfCharge) => boolean {
  return (row) =>
    (created?.(row.created) ?? true) &&
    (charge === undefined || row.charge === charge) &&
    (intent === undefined || row.payment_intent === intent);
}
