import {
  describeCheckout,
  linkCheckoutAsOperator,
} from '../../../functions/src/admin/subscriptions/link-checkout.service.ts';
import { required, type Call, type Command } from '../command.ts';
import { oneSubject } from '../subjects.ts';

const subjectOf = ({ backend, rest }: Call) => oneSubject(backend, required('<user or team>', rest[0]));

export const BILLING_COMMANDS: Readonly<Record<string, Command>> = {
  'billing link': {
    usage: '<checkout session> <user or team> --yes',
    does: 'links a checkout that was paid elsewhere, and shows the card and the invoices of its payer to a user or team',
    final: true,
    needsStripe: true,
    plan: async (call) => {
      const [checkout, { type, found }] = await Promise.all([
        describeCheckout(call.backend, call.id),
        subjectOf(call),
      ]);
      return { checkout, [type]: found };
    },
    run: async (call) => {
      const { backend, operator, id } = call;
      await linkCheckoutAsOperator(backend, operator, id, await subjectOf(call));
    },
  },
};
