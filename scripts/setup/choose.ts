import type { Setting } from '../../functions/src/settings/kinds.ts';
import { DEFAULT_REGION, SETTINGS } from '../../functions/src/settings/table.ts';
import type { Ask } from './ask.ts';
import { GoogleError, unlessMissing, type Google } from './google.ts';

/** Where the value of a setting may come from. */
export interface Choices {
  /** Values of the environment and of the files, by the names of the settings. */
  known: Readonly<Record<string, string | undefined>>;
  /** Asks the operator. Undefined if nobody is there to answer. */
  ask: Ask | undefined;
}

/** A question is repeated after a wrong answer. */
const MOST_QUESTIONS = 3;

/** The reason why a value is not allowed, such as `must be true or false`. Undefined if it is allowed. */
export function problemWith({ schema, convert }: Setting, value: string): string | undefined {
  const { error } = schema.safeParse(convert(value, {}));
  return error === undefined ? undefined : (error.issues[0]?.message ?? 'is not allowed');
}

/**
 * The value of a setting, which the operator is asked for if nothing else has it.
 *
 * @param fallback for an empty answer, and if nobody is there to answer
 * @throws Error with the name of the setting if its value is not allowed
 */
export async function choose(
  setting: Setting,
  { known, ask }: Choices,
  { fallback, hidden = false }: { fallback?: string; hidden?: boolean } = {},
): Promise<string | undefined> {
  const { name } = setting;
  const value = known[name];
  if (value !== undefined) {
    const problem = problemWith(setting, value);
    if (problem !== undefined) throw new Error(`${name} ${problem}.`);
    return value;
  }
  if (ask === undefined) return fallback;
  const options = { hidden, ...(fallback !== undefined && { fallback }) };
  let problem: string | undefined;
  for (let question = 1; question <= MOST_QUESTIONS; question++) {
    const answer = await ask(problem === undefined ? name : `${name} ${problem}. ${name}`, options);
    if (answer === '') return fallback;
    problem = problemWith(setting, answer);
    if (problem === undefined) return answer;
  }
  throw new Error(`${name} ${problem ?? 'is not allowed'}.`);
}

/** The region of the functions that suits each multi-region of Firestore. */
const REGION_OF_MULTI_REGION: Readonly<Record<string, string>> = {
  nam5: 'us-central1',
  nam7: 'us-central1',
  eur3: 'europe-west1',
};

/**
 * The region of the functions: the one that is known, or that of the database. Firestore and the bucket cannot be moved
 * later, so there is no default.
 *
 * @throws Error if it is not known and nobody is there to answer
 */
export async function chooseRegion(google: Google, projectId: string, choices: Choices): Promise<string> {
  const known = choices.known[SETTINGS.region.name] ?? (await databaseRegion(google, projectId));
  const region = await choose(SETTINGS.region, {
    known: { [SETTINGS.region.name]: known },
    ask: choices.ask,
  });
  if (region !== undefined) return region;
  throw new Error(
    'Choose the region, such as --region europe-west1. Firestore and the bucket cannot be moved to another one later.',
  );
}

/** The region in which a deployment runs whose settings do not name one. */
export async function deployedRegion(choices: Choices): Promise<string> {
  return (await choose(SETTINGS.region, { ...choices, ask: undefined })) ?? DEFAULT_REGION;
}

async function databaseRegion(google: Google, projectId: string): Promise<string | undefined> {
  const path = `firestore.googleapis.com/v1/projects/${projectId}/databases/(default)`;
  try {
    const { locationId = '' } = (await unlessMissing(google.get<{ locationId?: string }>(path))) ?? {};
    return locationId === '' ? undefined : (REGION_OF_MULTI_REGION[locationId] ?? locationId);
  } catch (error) {
    // The API is not enabled yet, or the step of the database will say what is wrong.
    if (error instanceof GoogleError && error.status === 403) return undefined;
    throw error;
  }
}
