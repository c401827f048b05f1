import { SETTINGS } from '../../../functions/src/settings/table.ts';
import { PROVIDERS_NAME, type Provider } from '../../../shared/src/sign-in-providers.ts';
import { unlessMissing } from '../google.ts';
import { IDENTITY_PLATFORM_COST } from '../identity-platform.ts';
import type { Finding, Step, Target } from '../step.ts';
import { hasBilling } from './project.ts';

const IDENTITY = 'identitytoolkit.googleapis.com/v2';

const TITLES = {
  password: 'Sign-in with e-mail and password',
  google: 'Sign-in with Google',
} as const satisfies Record<Provider, string>;

interface AuthConfig {
  signIn?: { email?: { enabled?: boolean; passwordRequired?: boolean } };
  authorizedDomains?: string[];
  notification?: { sendEmail?: { callbackUri?: string } };
  emailPrivacyConfig?: { enableImprovedEmailPrivacy?: boolean };
}

/** https://cloud.google.com/identity-platform/docs/reference/rest/v2/Config */
export const signInStep: Step = {
  title: 'Sign-in',
  check: async (target) => {
    const { google, projectId } = target;
    const config = await unlessMissing(google.get<AuthConfig>(`${IDENTITY}/projects/${projectId}/config`));
    if (config === undefined) return [await missing(target)];
    return [
      ...passwordFindings(target, config),
      ...protectionFindings(target, config),
      ...domainFindings(target, config),
      ...actionFindings(target, config),
      ...(await googleFindings(target)),
    ];
  },
};

async function missing(target: Target): Promise<Finding> {
  const { google, projectId } = target;
  const text = 'Firebase Authentication is not set up.';
  if (!target.allowsIdentityPlatform || !(await hasBilling(target))) {
    const page = `https://console.firebase.google.com/project/${projectId}/authentication`;
    return { text, advice: `Press "Get started" at ${page}, and run npm run setup again.` };
  }
  return {
    text,
    action: `set up Firebase Authentication with Identity Platform, ${IDENTITY_PLATFORM_COST}`,
    apply: async () => {
      await google.post(`${IDENTITY}/projects/${projectId}/identityPlatform:initializeAuth`, {});
    },
  };
}

/** A finding that one change of the configuration removes. */
function change(
  { google, projectId }: Target,
  words: { text: string; action: string },
  mask: string,
  body: AuthConfig,
): Finding {
  return {
    ...words,
    apply: async () => {
      await google.patch(`${IDENTITY}/projects/${projectId}/config?updateMask=${mask}`, body);
    },
  };
}

const providersPage = ({ projectId }: Pick<Target, 'projectId'>) =>
  `https://console.firebase.google.com/project/${projectId}/authentication/providers`;

/** Turning a provider off locks out the users who have no other one, so only a person does it. */
function leftOutFindings(target: Target, provider: Provider, isEnabled: boolean): Finding[] {
  if (!isEnabled) return [];
  return [
    {
      text: `${TITLES[provider]} is on, and ${PROVIDERS_NAME} leaves it out. So everybody can still sign up by it.`,
      advice: `Turn it off at ${providersPage(target)}, which locks out users without another way to sign in, or add ${provider} to ${PROVIDERS_NAME}.`,
    },
  ];
}

function passwordFindings(target: Target, { signIn }: AuthConfig): Finding[] {
  if (!target.providers.includes('password')) {
    return leftOutFindings(target, 'password', signIn?.email?.enabled === true);
  }
  const isRight = signIn?.email?.enabled === true && signIn.email.passwordRequired === true;
  if (isRight) return [];
  const words = { text: `${TITLES.password} is off.`, action: 'enable e-mail and password' };
  return [
    change(target, words, 'signIn.email.enabled,signIn.email.passwordRequired', {
      signIn: { email: { enabled: true, passwordRequired: true } },
    }),
  ];
}

/** https://cloud.google.com/identity-platform/docs/admin/email-enumeration-protection */
function protectionFindings(target: Target, { emailPrivacyConfig }: AuthConfig): Finding[] {
  if (emailPrivacyConfig?.enableImprovedEmailPrivacy === true) return [];
  const words = {
    text: 'Firebase Auth shows who has an account: email enumeration protection is off.',
    action: 'enable email enumeration protection',
  };
  return [
    change(target, words, 'emailPrivacyConfig.enableImprovedEmailPrivacy', {
      emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
    }),
  ];
}

function domainFindings(target: Target, { authorizedDomains: domains = [] }: AuthConfig): Finding[] {
  const hosts = ownHosts(target).filter((host) => !domains.includes(host));
  if (hosts.length === 0) return [];
  const names = hosts.join(', ');
  const text = `${names} ${hosts.length === 1 ? 'is no authorized domain' : 'are no authorized domains'}, so nobody can sign in there.`;
  const body = { authorizedDomains: [...domains, ...hosts] };
  return [change(target, { text, action: `authorize ${names}` }, 'authorizedDomains', body)];
}

/** The hosts of the app: APP_URL, OWN_ORIGINS and HOSTING_SITES. */
export function ownHosts(target: Target): string[] {
  const { appUrl, projectId, values } = target;
  const { ownOrigins } = SETTINGS;
  const text = values[ownOrigins.name] ?? '';
  const origins = ownOrigins.schema.safeParse(ownOrigins.convert(text, { GCLOUD_PROJECT: projectId }));
  const hosts = [appUrl, ...(origins.data ?? [])].map((origin) => new URL(origin).hostname);
  const ofSites = hostingSitesOf(target).flatMap((site) => [`${site}.web.app`, `${site}.firebaseapp.com`]);
  return [...new Set([...hosts, ...ofSites])];
}

/** The ids of HOSTING_SITES. None, if the setting is wrong. */
export function hostingSitesOf({ projectId, values }: Target): readonly string[] {
  const { hostingSites } = SETTINGS;
  const ids = hostingSites.convert(values[hostingSites.name] ?? '', { GCLOUD_PROJECT: projectId });
  return hostingSites.schema.safeParse(ids).data ?? [];
}

function actionFindings(target: Target, { notification }: AuthConfig): Finding[] {
  const callbackUri = `${target.appUrl}${target.values[SETTINGS.actionPath.name] ?? ''}`;
  if (notification?.sendEmail?.callbackUri === callbackUri) return [];
  const words = {
    text: "The links in Firebase's mail do not lead to the app.",
    action: `set the action URL ${callbackUri}`,
  };
  return [
    change(target, words, 'notification.sendEmail.callbackUri', {
      notification: { sendEmail: { callbackUri } },
    }),
  ];
}

/** Google needs an OAuth client, which only the console makes. */
async function googleFindings(target: Target): Promise<Finding[]> {
  const { google, projectId, providers } = target;
  const path = `${IDENTITY}/projects/${projectId}/defaultSupportedIdpConfigs/google.com`;
  const provider = await unlessMissing(google.get<{ enabled?: boolean }>(path));
  const isEnabled = provider?.enabled === true;
  if (!providers.includes('google')) return leftOutFindings(target, 'google', isEnabled);
  if (isEnabled) return [];
  return [
    {
      text: `${TITLES.google} is off.`,
      advice: `Enable it at ${providersPage(target)}, or set ${PROVIDERS_NAME}=password.`,
    },
  ];
}
