import { setTimeout } from 'node:timers/promises';
import Stripe from 'stripe';
import extrasJson from '../../functions/extras.json' with { type: 'json' };
import plansJson from '../../functions/plans.json' with { type: 'json' };
import { STRIPE_API_VERSION } from '../../functions/src/backend-clients.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import type { Setting } from '../../functions/src/settings/kinds.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { SETTINGS } from '../../functions/src/settings/table.ts';
import { PROVIDERS_NAME, readProviders } from '../../shared/src/sign-in-providers.ts';
import { defaultSettings } from '../settings-files.ts';
import type { Ask } from './ask.ts';
import { choose, chooseRegion, deployedRegion } from './choose.ts';
import { GoogleError, type Google } from './google.ts';
import { chooseIdentityPlatform, IDENTITY_PLATFORM_NAME } from './identity-platform.ts';
import { chooseProtection } from './protection.ts';
import type { Target } from './step.ts';
import { readSecret, SECRETS } from './steps/secrets.ts';
import { readSettings } from './steps/settings.ts';

/** The sources of a target. */
export interface Sources {
  projectId: string;
  google: Google;
  /** The folder of `.env.<project id>`. */
  settingsFolder: string;
  /** The region that the operator chose on the command line. */
  region?: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Asks the operator. Undefined if nobody is there to answer. */
  ask?: Ask | undefined;
  /** `setup` needs a region; what is deployed runs in the default region if no setting names one. */
  purpose: 'setup' | 'doctor' | 'after deploy';
  /** Whether a test key of the environment may replace a live key. */
  replacesLiveKey?: boolean;
  /** Waits so many milliseconds. Tests do not wait. */
  pause?: Target['pause'];
}

/**
 * Collects the settings from the command line, the environment, the files of the deployment and Secret Manager. Asks
 * only for settings that none of them has.
 *
 * @throws Error with the name of a setting that is not allowed, or if a test key would replace a live key
 */
export async function openTarget(sources: Sources): Promise<Target> {
  const { projectId, google, settingsFolder, environment, ask, purpose } = sources;
  const stored = readSettings(settingsFolder, projectId);
  const choices = { known: { ...stored, ...definedOnly(environment) }, ask };
  if (sources.region !== undefined) choices.known[SETTINGS.region.name] = sources.region;
  const region = await (purpose === 'setup'
    ? chooseRegion(google, projectId, choices)
    : deployedRegion(choices));
  const appUrl = await choose(SETTINGS.appUrl, choices, { fallback: `https://${projectId}.web.app` });
  const mailFrom = await choose(SETTINGS.mailFrom, choices);
  const { protection, chosen } = await chooseProtection(environment, stored, ask);
  const providers = choices.known[PROVIDERS_NAME];
  const known = choices.known[IDENTITY_PLATFORM_NAME];
  const identityPlatform = await chooseIdentityPlatform({ google, projectId, known, ask });
  const settings: Record<string, string> = {
    [SETTINGS.region.name]: region,
    [SETTINGS.appUrl.name]: SETTINGS.appUrl.schema.parse(appUrl),
    ...(mailFrom !== undefined && { [SETTINGS.mailFrom.name]: mailFrom }),
    ...chosen,
    ...(providers !== undefined && { [PROVIDERS_NAME]: providers }),
    ...(identityPlatform !== undefined && { [IDENTITY_PLATFORM_NAME]: identityPlatform }),
  };

  const secrets: Record<string, string> = {};
  for (const setting of SECRETS.filter((one) => one !== SETTINGS.stripeWebhookSecret)) {
    const value = environment[setting.name] ?? (await missingSecret(setting));
    if (value !== undefined && value !== '') secrets[setting.name] = value;
  }
  const stripe = stripeOf(sources, secrets[STRIPE_KEY], await storedSecret(STRIPE_KEY));
  return {
    projectId,
    region,
    appUrl: settings[SETTINGS.appUrl.name] ?? '',
    settings,
    values: { ...defaultSettings(), ...stored, ...settings },
    settingsFolder,
    secrets,
    protection,
    providers: readProviders(providers),
    allowsIdentityPlatform: identityPlatform !== 'false',
    offered: { plans: planListSchema.parse(plansJson), extras: extrasSchema.parse(extrasJson) },
    google,
    stripe,
    isAfterDeploy: purpose === 'after deploy',
    now: () => new Date(),
    pause: sources.pause ?? ((milliseconds) => setTimeout(milliseconds)),
  };

  async function missingSecret(setting: Setting): Promise<string | undefined> {
    if (ask === undefined || (await storedSecret(setting.name)) !== undefined) return undefined;
    return choose(setting, { known: {}, ask }, { hidden: true });
  }

  /** A new project has no Secret Manager yet. */
  async function storedSecret(name: string): Promise<string | undefined> {
    try {
      return await readSecret(google, projectId, name);
    } catch (error) {
      if (error instanceof GoogleError && error.status === 403) return undefined;
      throw error;
    }
  }
}

const STRIPE_KEY = SETTINGS.stripeSecretKey.name;

/**
 * The client with the key of the deployment. `setup` uses the key that it will store, and `doctor` the stored one.
 *
 * @throws Error if a test key would replace a live key
 */
function stripeOf(
  { environment, purpose, replacesLiveKey = false }: Sources,
  given: string | undefined,
  stored: string | undefined,
): Stripe | undefined {
  if (!replacesLiveKey) assertNotTestForLive(given, stored);
  const key = purpose === 'setup' ? (given ?? stored) : (stored ?? given);
  return key === undefined ? undefined : stripeClient(key, stripeOrigin(environment));
}

/**
 * Operators export a key for `npm run admin`, and one of test mode must not end the live mode of a project.
 *
 * @throws Error if the given key is of test mode and the stored one of live mode
 */
function assertNotTestForLive(given = '', stored = ''): void {
  if (!/^[rs]k_test_/.test(given) || !/^[rs]k_live_/.test(stored)) return;
  throw new Error(
    `${STRIPE_KEY} of the environment is a key of Stripe's test mode, and Secret Manager has one of live mode. Unset the variable. To replace the live key nevertheless, run setup with --replace-live-key.`,
  );
}

/** An empty variable of the environment counts as missing. */
function definedOnly(environment: Sources['environment']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

function stripeOrigin(environment: Sources['environment']): string {
  return environment[SETTINGS.stripeApiUrl.name] ?? 'https://api.stripe.com';
}

/** A client with the API version of the service. */
export function stripeClient(key: string, origin: string): Stripe {
  const { protocol, hostname, port } = new URL(origin);
  return new Stripe(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}
