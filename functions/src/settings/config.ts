import * as z from 'zod';
import extrasJson from '../../extras.json' with { type: 'json' };
import plansJson from '../../plans.json' with { type: 'json' };
import { processEnvironment, type Environment } from './environment.ts';
import { conflictWith, extrasSchema } from './extras.ts';
import type { Setting } from './kinds.ts';
import { mobileConflict } from './mobile-settings.ts';
import { planListSchema } from './plans.ts';
import { SETTINGS } from './table.ts';

type Schemas = { [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key]['schema'] };

const entries: [key: string, setting: Setting][] = Object.entries(SETTINGS);

const schemas = Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])) as Schemas;

const configSchema = z
  .strictObject({ ...schemas, plans: planListSchema, extras: extrasSchema })
  .superRefine((config, context) => {
    const conflicts = {
      extras: conflictWith(config.plans, config.extras),
      androidFingerprints: mobileConflict(config),
    };
    for (const [key, message] of Object.entries(conflicts)) {
      if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
    }
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
  const lines = problemsOf(result.error, values).map(({ name, message }) => `  ${name}: ${message}`);
  throw new Error(`The backend cannot start because its configuration is invalid:\n${lines.join('\n')}`);
}

/**
 * Reads and validates the environment variables that Cloud Functions sets from params and secrets.
 *
 * @throws Error like `parseConfig`. A missing setting is invalid too
 */
export function loadConfig(environment: Environment = processEnvironment()): Config {
  return parseConfig(valuesIn(environment));
}

export interface SettingProblem {
  /** The environment name. For a part of a plan, the path of the part follows. */
  name: string;
  /** The reason, without the value. */
  message: string;
}

/** Every missing or invalid setting, in the order of the table. */
export function invalidSettings(environment: Environment): SettingProblem[] {
  const values = valuesIn(environment);
  const { error } = configSchema.safeParse(values);
  return error === undefined ? [] : problemsOf(error, values);
}

function valuesIn(environment: Environment): Record<string, unknown> {
  const values = entries.map(([key, { name, convert }]) => {
    const text = environment[name];
    return [key, text === undefined ? undefined : convert(text, environment)] as const;
  });
  return { ...Object.fromEntries(values), plans: plansJson, extras: extrasJson };
}

function problemsOf(error: z.ZodError, values: Readonly<Record<string, unknown>>): SettingProblem[] {
  return error.issues.map(({ path, message }) => {
    const [key, ...rest] = path.map(String);
    if (key === undefined) return { name: 'configuration', message };
    const name = entries.find(([other]) => other === key)?.[1].name ?? key;
    return {
      name: [name, ...rest].join('.'),
      message: values[key] === undefined ? 'is not set' : message,
    };
  });
}
