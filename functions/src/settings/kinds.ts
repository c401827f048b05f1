import * as z from 'zod';
import { projectIdOf, type Environment } from './environment.ts';
import {
  allowedOriginsSchema,
  appPathSchema,
  hostingSiteSchema,
  hostingSitesSchema,
  originsSchema,
  returnUrlsSchema,
} from './schemas.ts';

/**
 * Type of the param that `firebase deploy` asks for, and its value if the deployment sets none. A setting without
 * default must be set by every deployment.
 */
type Param =
  | { param: 'string'; default: string | undefined }
  | { param: 'integer'; default: number | undefined }
  | { param: 'boolean'; default: boolean | undefined }
  | { param: 'secret'; default: undefined };

interface Declaration<Schema extends z.ZodType> {
  /** Name of the environment variable. */
  name: string;
  /** Purpose of the setting, for the person who deploys. At most 30 words. */
  description: string;
  /** Allowed values, for the person who deploys. */
  values: string;
  schema: Schema;
  /** Converts text to a value. Text of another form is returned as it is, so that the schema refuses it. */
  convert: (text: string, environment: Environment) => unknown;
}

/** One setting of a deployment. Params, validation, the type `Config` and docs/configuration.md follow from it. */
export type Setting<Schema extends z.ZodType = z.ZodType> = Declaration<Schema> & Param;

interface Common<Default> {
  default?: Default;
  description: string;
}

interface TextOptions<Schema extends z.ZodType> extends Common<string> {
  values: string;
  schema: Schema;
}

/** Text without conversion. */
export function text<Schema extends z.ZodType>(name: string, options: TextOptions<Schema>): Setting<Schema> {
  return { default: undefined, ...options, name, param: 'string', convert: (value) => value };
}

/** A path on the app's own origin. */
export function appPath(name: string, options: Common<string>): Setting<typeof appPathSchema> {
  return text(name, { ...options, values: 'a path of the app', schema: appPathSchema });
}

/** One of a few words. */
export function choice<const Options extends readonly [string, ...string[]]>(
  name: string,
  options: Common<Options[number]> & { options: Options },
) {
  const { options: words, ...common } = options;
  const values = words.join(', ').replace(/, ([^,]+)$/, ' or $1');
  return text(name, { ...common, values, schema: z.enum(words, `must be ${values}`) });
}

/** A whole number from `min` to `max`, written in digits. */
export function integer(
  name: string,
  { min, max, ...common }: Common<number> & { min: number; max: number },
): Setting<z.ZodInt> {
  const values = `${min} to ${max}`;
  const message = `must be a whole number from ${values}`;
  return {
    default: undefined,
    ...common,
    name,
    param: 'integer',
    values,
    schema: z.int(message).min(min, message).max(max, message),
    convert: (digits) => (/^\d{1,15}$/.test(digits) ? Number(digits) : digits),
  };
}

/** A number of requests in a window of time. */
export function rate(name: string, common: Common<number>): Setting<z.ZodInt> {
  return integer(name, { ...common, min: 1, max: 1_000_000 });
}

/** A number from 0 to 1, written in digits with a decimal point. */
export function ratio(name: string, common: Common<string>): Setting<z.ZodNumber> {
  const message = 'must be a number from 0 to 1';
  return {
    default: undefined,
    ...common,
    name,
    param: 'string',
    values: '0 to 1',
    schema: z.number(message).min(0, message).max(1, message),
    convert: (digits) => (/^\d{1,2}(\.\d{1,15})?$/.test(digits) ? Number(digits) : digits),
  };
}

/** The word `true` or `false`. */
export function flag(name: string, common: Common<boolean>): Setting<z.ZodBoolean> {
  return {
    default: undefined,
    ...common,
    name,
    param: 'boolean',
    values: 'true or false',
    schema: z.boolean('must be true or false'),
    convert: (word) => (/^(true|false)$/.test(word) ? word === 'true' : word),
  };
}

/** Origins separated by commas, or `none`. */
export function origins(name: string, common: Common<string>): Setting<typeof originsSchema> {
  return {
    ...text(name, { ...common, values: 'origins separated by commas, or none', schema: originsSchema }),
    convert: listFrom,
  };
}

/** Origins of other apps separated by commas, or `none`. */
export function allowedOrigins(name: string, common: Common<string>): Setting<typeof allowedOriginsSchema> {
  const values = 'origins separated by commas, or none';
  return { ...text(name, { ...common, values, schema: allowedOriginsSchema }), convert: listFrom };
}

/** Origins and URLs of apps separated by commas, or `none`. */
export function returnUrls(name: string, common: Common<string>): Setting<typeof returnUrlsSchema> {
  const values = 'origins and app URLs separated by commas, or none';
  return { ...text(name, { ...common, values, schema: returnUrlsSchema }), convert: listFrom };
}

/** Ids of Hosting sites separated by commas, `none`, or `project` for the site with the name of the project. */
export function hostingSites(name: string, common: Common<string>): Setting<typeof hostingSitesSchema> {
  const values = 'project, none, or ids of sites separated by commas';
  return {
    ...text(name, { ...common, values, schema: hostingSitesSchema }),
    convert: (value, environment) =>
      value === 'project' ? siteOf(projectIdOf(environment)) : listFrom(value),
  };
}

/** Texts separated by commas, or `none`. */
export function list<Schema extends z.ZodType>(name: string, options: TextOptions<Schema>): Setting<Schema> {
  return { ...text(name, options), convert: listFrom };
}

/** Whole numbers separated by commas, or `off`. */
export function integerList<Schema extends z.ZodType>(
  name: string,
  options: TextOptions<Schema>,
): Setting<Schema> {
  return { ...text(name, options), convert: integersFrom };
}

/** Text from Secret Manager. A secret has no default. */
export function secret<Schema extends z.ZodType>(
  name: string,
  options: Omit<TextOptions<Schema>, 'default'>,
): Setting<Schema> {
  return { ...text(name, options), param: 'secret', default: undefined };
}

function listFrom(value: string): unknown {
  if (!/^[^\s,]+(,[^\s,]+)*$/.test(value)) return value;
  return value === 'none' ? [] : value.split(',');
}

function integersFrom(value: string): unknown {
  if (!/^(off|\d{1,5}(,\d{1,5})*)$/.test(value)) return value;
  return value === 'off' ? [] : value.split(',').map(Number);
}

/** The Hosting site with the name of the project. Ids of some old projects start with a domain and name no site. */
function siteOf(projectId: string | undefined): string[] {
  const { data } = hostingSiteSchema.safeParse(projectId);
  return data === undefined ? [] : [data];
}
