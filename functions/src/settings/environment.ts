export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process. No other file of the backend reads `process.env`.
 *
 * Read at each call and never kept, because the Functions Framework and tests set variables after the first import.
 */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * True while the Firebase CLI loads the code only to list its functions. Params have no values during this discovery.
 */
export function isDiscovery(): boolean {
  return processEnvironment()['FUNCTIONS_CONTROL_API'] === 'true';
}

/**
 * True if this process serves the named function. If FUNCTION_TARGET is not set, such as during discovery, every
 * function counts as served.
 *
 * Cloud Functions names the function in FUNCTION_TARGET:
 * https://cloud.google.com/functions/docs/configuring/env-var#runtime_environment_variables_set_automatically
 */
export function servesFunction(name: string): boolean {
  return [name, undefined].includes(processEnvironment()['FUNCTION_TARGET']);
}

/** The name and the Cloud Run revision of the served function. Both are undefined outside of Cloud Functions. */
export function functionAndRevision(environment: Environment = processEnvironment()) {
  return { name: environment['FUNCTION_TARGET'], revision: environment['K_REVISION'] };
}

/** Host and port of the Storage emulator, or undefined in production. */
export function storageEmulatorHost(): string | undefined {
  return processEnvironment()['FIREBASE_STORAGE_EMULATOR_HOST'];
}

/** The beginning of the URLs of our files at the Storage emulator, which has no https. Undefined in production. */
export function emulatedFilesUrl(): string | undefined {
  const host = storageEmulatorHost();
  if (host === undefined) return undefined;
  const firebase = JSON.parse(processEnvironment()['FIREBASE_CONFIG'] ?? '{}') as { storageBucket?: string };
  if (firebase.storageBucket === undefined) return undefined;
  return `http://${host}/v0/b/${firebase.storageBucket}/o/`;
}

export function projectIdOf(environment: Environment): string | undefined {
  return environment['GCLOUD_PROJECT'];
}

/**
 * True if this process is an instance of Cloud Functions. The functions emulator sets both K_SERVICE and
 * FUNCTIONS_EMULATOR.
 */
export function isDeployed(environment: Environment = processEnvironment()): boolean {
  return environment['K_SERVICE'] !== undefined && environment['FUNCTIONS_EMULATOR'] !== 'true';
}

/**
 * True if tokens come from the Auth emulator, which does not sign them. Never true in Cloud Functions, whatever the
 * settings: with unsigned tokens anybody could sign in as anybody.
 */
export function usesAuthEmulator(environment: Environment = processEnvironment()): boolean {
  return environment['FIREBASE_AUTH_EMULATOR_HOST'] !== undefined && !isDeployed(environment);
}
