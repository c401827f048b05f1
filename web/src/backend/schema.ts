import * as z from 'zod/mini';

/** A Timestamp of Firestore, read as a Date. */
export const timestamp = z.pipe(
  z.custom<{ toDate: () => Date }>(
    (value: unknown) => typeof value === 'object' && value !== null && 'toDate' in value,
    'is not a timestamp',
  ),
  z.transform((value) => value.toDate()),
);
