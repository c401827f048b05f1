import * as z from 'zod';

/** The add-ons of a user, team or subscription in answers of the API. */
export const addOnsView = z
  .record(z.string(), z.int())
  .meta({ id: 'AddOnQuantities', description: 'The units of add-ons by their slugs.' });
