import { InvalidParameter } from '../../api/errors.ts';
import type { FormValue } from '../../api/parameters/form.ts';
import {
  clearable,
  integer,
  list,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';

const address = shape({
  city: clearable(text()),
  country: clearable(text()),
  line1: clearable(text()),
  line2: clearable(text()),
  postal_code: clearable(text()),
  state: clearable(text()),
});

const shipping = shape({ address: required(address), name: required(text()), phone: text(20) });

const customField = shape({ name: required(text(40)), value: required(text(140)) });

/** Stripe wants 3 to 12 capital letters or digits. */
const invoicePrefix = {
  required: false as const,
  parse: (value: FormValue, name: string): string => {
    const prefix = text(12).parse(value, name);
    if (!/^[A-Z0-9]{3,12}$/.test(prefix)) throw new InvalidParameter('Invalid invoice prefix', name);
    return prefix;
  },
};

/** The parameters that creating and updating a customer share. */
export const details = {
  address: clearable(address),
  balance: integer(),
  business_name: clearable(text(150)),
  description: clearable(text()),
  email: clearable(text(512)),
  individual_name: clearable(text(150)),
  invoice_prefix: invoicePrefix,
  invoice_settings: shape(
    {
      custom_fields: clearable(list(customField, 4)),
      default_payment_method: clearable(text()),
      footer: clearable(text()),
    },
    ['rendering_options'],
  ),
  metadata: clearable(metadata()),
  name: clearable(text(256)),
  next_invoice_sequence: integer(1),
  phone: clearable(text(20)),
  preferred_locales: list(text(20)),
  shipping: clearable(shipping),
  tax_exempt: clearable(oneOf('exempt', 'none', 'reverse')),
};

export const unsupported = names('cash_balance source tax validate');
