import * as z from 'zod';
import { INTERVALS } from '../../settings/plans.ts';

export const intervalSchema = z.enum(INTERVALS).meta({ id: 'Interval' });
