import * as z from 'zod';
import { INTERVALS } from '../../settings/plans.ts';

/** How often a plan is paid, in requests and answers. */
export const intervalSchema = z.enum(INTERVALS).meta({ id: 'Interval' });
