import * as z from 'zod';
import { instant } from '../../common/instant.ts';
import { json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { readUsage } from './read.service.ts';
import { MAX_VALUE, recordClientUsage } from './report.service.ts';

const path = '/api/usage';
const tag = 'Billing';

const meterUsageView = z
  .strictObject({ slug: z.string(), name: z.string(), value: z.int().describe('Units that were used.') })
  .meta({ id: 'MeterUsage' });

const usageView = z
  .strictObject({
    period: z
      .strictObject({ start: instant, end: instant })
      .describe('The billing period; the calendar month in UTC without a subscription.'),
    meters: z.array(meterUsageView),
  })
  .meta({ id: 'Usage' });

const reportUsageRoute = route({
  id: 'reportUsage',
  method: 'post',
  path,
  tag,
  summary: 'Report usage',
  description:
    'Records units that the caller or a team of theirs has used of a meter. Only meters that clients may report to are open. A repeated key counts once.',
  body: z.strictObject({
    meter: z.string().min(1).max(80).describe('Slug of the meter.'),
    value: z.int().min(1).max(MAX_VALUE).describe('Units.'),
    key: z
      .string()
      .min(1)
      .max(200)
      .describe('Names the report, so that it counts once, such as a random UUID.'),
    team: teamIdSchema.optional(),
  }),
  limits: [{ limit: RATE_LIMITS.usageReports, by: 'user' }],
  answers: {
    200: json(
      'The usage is recorded.',
      z.strictObject({ isRepeated: z.boolean().describe('True if the key was used before.') }),
    ),
  },
  refusals: [
    'meter_not_found',
    'meter_closed_to_clients',
    'team_not_found',
    'forbidden',
    'key_reused',
    'busy',
  ],
  handler: async ({ backend, caller, body }) => ({
    status: 200,
    body: await recordClientUsage(backend, caller, body),
  }),
});

const getUsageRoute = route({
  id: 'getUsage',
  method: 'get',
  path,
  tag,
  summary: 'Get usage',
  description: 'Returns what the caller or a team has used of each meter within the current period.',
  query: z.strictObject({ team: teamIdSchema.optional() }),
  answers: { 200: json('The usage.', usageView) },
  refusals: ['team_not_found', 'forbidden'],
  handler: async ({ backend, caller, query: { team } }) => {
    const { period, meters } = await readUsage(backend, caller, team);
    const [start, end] = [period.start.toISOString(), period.end.toISOString()];
    return { status: 200, body: { period: { start, end }, meters } };
  },
});

export const usageRoutes: readonly Route[] = [reportUsageRoute, getUsageRoute];
