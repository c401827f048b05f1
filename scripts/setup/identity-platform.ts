import type { Ask } from './ask.ts';
import { GoogleError, unlessMissing, type Google } from './google.ts';

/** A setting of the set-up that no function reads: whether it may set up Authentication with Identity Platform. */
export const IDENTITY_PLATFORM_NAME = 'IDENTITY_PLATFORM';

/** The price of Identity Platform, in words. The price list decides. */
export const IDENTITY_PLATFORM_COST =
  'free for 50,000 monthly active users, and about $0.0055 for each further one';

const PRICE_LIST = 'https://cloud.google.com/identity-platform/pricing';

const QUESTION = [
  'Firebase Authentication is not set up. An API can set it up only with Identity Platform, which costs money:',
  `  ${IDENTITY_PLATFORM_COST}`,
  'Without it Firebase Authentication has no such price, and no second factor. A person sets it up in the console then.',
  `Prices may have changed: ${PRICE_LIST}`,
  'Set it up with Identity Platform? (yes or no)',
].join('\n');

interface Sources {
  google: Google;
  projectId: string;
  /** The value that the environment or a file has. */
  known: string | undefined;
  ask: Ask | undefined;
}

/**
 * The choice to remember: `true` or `false`. Asks only if Authentication is not set up and nothing is known.
 *
 * @returns undefined if there is no choice; then Identity Platform is wanted
 * @throws Error for a value that is not allowed; GoogleError
 */
export async function chooseIdentityPlatform({
  google,
  projectId,
  known,
  ask,
}: Sources): Promise<string | undefined> {
  if (known !== undefined) {
    if (known !== 'true' && known !== 'false')
      throw new Error(`${IDENTITY_PLATFORM_NAME} must be true or false.`);
    return known;
  }
  if (ask === undefined || (await isSetUp(google, projectId))) return undefined;
  const isWanted = !/^no?$/i.test(await ask(QUESTION, { hidden: false, fallback: 'yes' }));
  return String(isWanted);
}

/** In a new project the API may be disabled. Without the right to read, the step of the sign-in says what is wrong. */
async function isSetUp(google: Google, projectId: string): Promise<boolean> {
  try {
    const path = `identitytoolkit.googleapis.com/v2/projects/${projectId}/config`;
    return (await unlessMissing(google.get(path))) !== undefined;
  } catch (error) {
    if (error instanceof GoogleError && error.status === 403) return error.disabledService === undefined;
    throw error;
  }
}
