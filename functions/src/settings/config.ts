import * as z from 'zod';
import extrasJson from '../../extras.json' with { type: 'json' };
import plansJson from '../../plans.json' with { type: 'json' };
import { processEnvironment, type Environment } from './environment.ts';
import { conflictWith, extrasSchema } from './extras.ts';
import type { Setting } from './kinds.ts';
import { planListSchema } from './plans.ts';
import { SETTINGS } from './table.ts';

type Schemas = { [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key]['schema'] };

const entries: [key: string, setting: Setting][] = Object.entries(SETTINGS);

const schemas = Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])) as Schemas;

const configSchema = z
  .strictObject({ ...schemas, plans: planListSchema, extras: extrasSchema })
  .superRefine(({ plans, extras }, context) => {
    const message = conflictWith(plans, extras);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['extras'], message });
  });

/** The validated settings of this deployment, its plans and its extras. */
export type Config = z.output<typeof configSchema>;

/**
 * Validates converted settings, plans and extras.
 *
 * @throws Error that lists every invalid setting by its environment name. The message contains no values.
 */
export function parseConfig(values: Readonly<Record<string, unknown>>): Config {
  const result = configSchema.safeParse(values);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => `  ${describe(path, message, values)}`);
  throw new Error(`Hearth cannot start because its configuration is invalid:\n${lines.join('\n')}`);
}

/**
 * Reads and validates the environment variables that Cloud Functions sets from params and secrets.
 *
 * @throws Error that lists every missing or invalid setting by its environment name. The message contains no values.
 */
export function loadConfig(environment: Environment = processEnvironment()): Config {
  const values = entries.map(([key, { name, convert }]) => {
    const text = environment[name];
    return [key, text === undefined ? undefined : convert(text, environment)] as const;
  });
  return parseConfig({ ...Object.fromEntries(values), plans: plansJson, extras: extrasJson });
}

function describe(path: PropertyKey[], message: string, values: Readonly<Record<string, unknown>>): string {
  const [key, ...rest] = path.map(String);
  if (key === undefined) return `configuration: ${message}`;
  const name = entries.find(([other]) => other === key)?.[1].name ?? key;
  return `${[name, ...rest].join('.')}: ${values[key] === undefined ? 'is not set' : message}`;
}
