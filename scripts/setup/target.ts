import Stripe from 'stripe';
import extrasJson from '../../functions/extras.json' with { type: 'json' };
import plansJson from '../../functions/plans.json' with { type: 'json' };
import { STRIPE_API_VERSION } from '../../functions/src/backend.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { DEFAULT_REGION, SETTINGS } from '../../functions/src/settings/table.ts';
import { GoogleError, type Google } from './google.ts';
import type { Ask } from './ask.ts';
import { chooseProtection } from './protection.ts';
import type { Target } from './step.ts';
import { readSecret, readSettings, SECRETS, settingsFile, WEBHOOK_SECRET } from './steps/settings.ts';

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
}

/**
 * Collects the settings from the command line, the environment, the file of the last run and Secret Manager. Asks only
 * for settings that none of them has.
 */
export async function openTarget(sources: Sources): Promise<Target> {
  const { projectId, google, settingsFolder, environment, ask } = sources;
  const stored = readSettings(settingsFile(settingsFolder, projectId));
  const region = sources.region ?? environment['REGION'] ?? stored['REGION'] ?? DEFAULT_REGION;
  const settings: Record<string, string> = { REGION: region };
  const appUrl = await textOf(SETTINGS.appUrl.name, `https://${projectId}.web.app`);
  settings[SETTINGS.appUrl.name] = SETTINGS.appUrl.schema.parse(appUrl);
  const mailFrom = await textOf(SETTINGS.mailFrom.name);
  if (mailFrom !== undefined) settings[SETTINGS.mailFrom.name] = SETTINGS.mailFrom.schema.parse(mailFrom);
  SETTINGS.region.schema.parse(region);
  const { protection, chosen } = await chooseProtection(environment, stored, ask);
  Object.assign(settings, chosen);

  const secrets: Record<string, string> = {};
  for (const name of SECRETS.filter((one) => one !== WEBHOOK_SECRET)) {
    const value = environment[name] ?? (await missingSecret(name));
    if (value !== undefined && value !== '') secrets[name] = value;
  }
  const key = secrets[SETTINGS.stripeSecretKey.name] ?? (await storedSecret(SETTINGS.stripeSecretKey.name));
  return {
    projectId,
    region,
    appUrl: settings[SETTINGS.appUrl.name] ?? '',
    settings,
    settingsFolder,
    secrets,
    protection,
    offered: { plans: planListSchema.parse(plansJson), extras: extrasSchema.parse(extrasJson) },
    google,
    stripe:
      key === undefined
        ? undefined
        : stripeClient(key, environment[SETTINGS.stripeApiUrl.name] ?? 'https://api.stripe.com'),
    now: () => new Date(),
  };

  async function textOf(name: string, fallback?: string): Promise<string | undefined> {
    const known = environment[name] ?? stored[name];
    if (known !== undefined) return known;
    const answer = await ask?.(name, { hidden: false, ...(fallback !== undefined && { fallback }) });
    return answer === undefined || answer === '' ? fallback : answer;
  }

  async function missingSecret(name: string): Promise<string | undefined> {
    if (ask === undefined || (await storedSecret(name)) !== undefined) return undefined;
    return ask(name, { hidden: true });
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

function stripeClient(key: string, origin: string): Stripe {
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
