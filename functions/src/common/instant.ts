import * as z from 'zod';

/** A time in answers of the API. */
export const instant = z.iso.datetime().meta({ id: 'Instant', description: 'ISO 8601, UTC.' });
