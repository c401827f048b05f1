import { defineBoolean, defineInt, defineSecret, defineString } from 'firebase-functions/params';
import type { Setting } from './kinds.ts';
import { DEFAULT_API_MAX_INSTANCES, DEFAULT_REGION, SETTINGS } from './table.ts';

type Secret = ReturnType<typeof defineSecret>;

/** The region of every function. The Firebase CLI resolves this param when it lists the functions. */
export const region = defineString(SETTINGS.region.name, {
  description: SETTINGS.region.description,
  ...defaultOf(DEFAULT_REGION),
});

/** Maximum number of instances of the API. The Firebase CLI resolves this param like the region. */
export const apiMaxInstances = defineInt(SETTINGS.apiMaxInstances.name, {
  description: SETTINGS.apiMaxInstances.description,
  ...defaultOf(DEFAULT_API_MAX_INSTANCES),
});

/**
 * Names of secrets that are not in `SETTINGS`, for example OTEL_EXPORTER_OTLP_HEADERS if it contains a key. Each secret
 * must exist in Secret Manager before a deployment.
 */
const FURTHER_SECRETS: readonly string[] = [];

/**
 * Secrets that index.ts binds to each function, so that Cloud Functions sets their environment variables.
 *
 * Importing this module also declares all other settings as params. The Firebase CLI asks for their values at deploy
 * and sets them as environment variables: https://firebase.google.com/docs/functions/config-env
 */
export const secrets: Secret[] = [
  ...Object.values(SETTINGS)
    .filter((setting) => setting !== SETTINGS.region && setting !== SETTINGS.apiMaxInstances)
    .flatMap(declare),
  ...FURTHER_SECRETS.map((name) => defineSecret(name)),
];

/** Declares a param. Returns it if it is a secret. */
function declare({ name, description, ...setting }: Setting): Secret[] {
  switch (setting.param) {
    case 'string':
      defineString(name, { description, ...defaultOf(setting.default) });
      return [];
    case 'integer':
      defineInt(name, { description, ...defaultOf(setting.default) });
      return [];
    case 'boolean':
      defineBoolean(name, { description, ...defaultOf(setting.default) });
      return [];
    case 'secret':
      return [defineSecret(name, { description })];
  }
}

function defaultOf<Value>(value: Value | undefined): { default?: Value } {
  return value === undefined ? {} : { default: value };
}
