import * as z from 'zod';

/** A time as the API tells it. */
export const instant = z.iso.datetime().meta({ id: 'Instant', description: 'ISO 8601, UTC.' });
