import * as z from 'zod';

/** Units of an add-on in requests. The configuration has a limit for each add-on. */
export const unitsSchema = z.int().min(0).max(10_000);

export const addOnsSchema = z
  .record(z.string().max(100), unitsSchema)
  .refine((addOns) => Object.keys(addOns).length <= 20, 'has more than 20 add-ons');

export const ADD_ON_REFUSALS = [
  'add_on_not_found',
  'add_on_not_offered',
  'add_on_quantity_too_high',
] as const;
