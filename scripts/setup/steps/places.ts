import { unlessMissing, type Google, type Operation } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';

export const FIRESTORE = 'firestore.googleapis.com/v1';

interface Database {
  locationId?: string;
  type?: string;
}

/** Multi-regions of Firestore with the regions that are near to them. */
const NEAR_MULTI_REGIONS: Readonly<Record<string, RegExp>> = {
  nam5: /^us-/,
  nam7: /^us-/,
  eur3: /^europe-/,
};

/** Whether functions of a region are near to a place, which is a region or a multi-region. */
function isNear(place: string, region: string): boolean {
  return place === region || NEAR_MULTI_REGIONS[place]?.test(region) === true;
}

/** https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases */
export const firestoreStep: Step = {
  title: 'Firestore',
  check: async ({ google, projectId, region }) => {
    const parent = `${FIRESTORE}/projects/${projectId}`;
    const database = await unlessMissing(google.get<Database>(`${parent}/databases/(default)`));
    if (database === undefined) {
      const create = () =>
        google.post<Operation>(`${parent}/databases?databaseId=(default)`, {
          locationId: region,
          type: 'FIRESTORE_NATIVE',
        });
      return [
        {
          text: 'There is no database.',
          action: `create the database in ${region}, which cannot be moved later`,
          apply: async () => {
            await google.finish(FIRESTORE, await create());
          },
        },
      ];
    }
    return [...wrongType(database), ...wrongPlace('The database', database.locationId ?? '', region)];
  },
};

function wrongType({ type }: Database): Finding[] {
  if (type === 'FIRESTORE_NATIVE') return [];
  return [
    {
      text: 'The database is in Datastore mode.',
      advice: 'Take another project, or change the mode of the empty database to Firestore native.',
    },
  ];
}

function wrongPlace(what: string, place: string, region: string): Finding[] {
  if (isNear(place, region)) return [];
  return [
    {
      text: `${what} is in ${place}, and the functions in ${region}.`,
      advice: `It cannot be moved. Set REGION to a region of ${place}, and deploy.`,
    },
  ];
}

const STORAGE = 'firebasestorage.googleapis.com/v1alpha';
export const BUCKETS = 'storage.googleapis.com/storage/v1/b';

const bucketPath = ({ projectId }: Pick<Target, 'projectId'>) =>
  `${STORAGE}/projects/${projectId}/defaultBucket`;

/** The name of the default bucket, or undefined if there is none. */
export async function defaultBucket(target: {
  projectId: string;
  google: Pick<Google, 'get'>;
}): Promise<string | undefined> {
  const found = await unlessMissing(target.google.get<{ bucket?: { name?: string } }>(bucketPath(target)));
  return found?.bucket?.name?.split('/').at(-1);
}

/** The trigger of Storage needs the functions in the region of the bucket, or within its multi-region. */
export const bucketStep: Step = {
  title: 'Bucket',
  check: async (target) => {
    const { google, region } = target;
    const bucket = await defaultBucket(target);
    if (bucket === undefined) {
      return [
        {
          text: 'There is no bucket.',
          action: `create the bucket in ${region}, which cannot be moved later`,
          apply: async () => {
            await google.post(bucketPath(target), { location: region });
          },
        },
      ];
    }
    const { location } = await google.get<{ location: string }>(`${BUCKETS}/${bucket}`);
    const place = location.toLowerCase();
    return region.startsWith({ us: 'us-', eu: 'europe-', asia: 'asia-' }[place] ?? place)
      ? []
      : wrongPlace('The bucket', place, region);
  },
};

const IDENTITY = 'identitytoolkit.googleapis.com/v2';

interface AuthConfig {
  signIn?: { email?: { enabled?: boolean; passwordRequired?: boolean } };
  authorizedDomains?: string[];
  notification?: { sendEmail?: { callbackUri?: string } };
}

/** https://cloud.google.com/identity-platform/docs/reference/rest/v2/Config */
export const signInStep: Step = {
  title: 'Sign-in',
  check: async (target) => {
    const { google, projectId } = target;
    const project = `${IDENTITY}/projects/${projectId}`;
    const config = await unlessMissing(google.get<AuthConfig>(`${project}/config`));
    if (config === undefined) {
      return [
        {
          text: 'Firebase Authentication is not set up.',
          action: 'set up Firebase Authentication',
          apply: async () => {
            await google.post(`${project}/identityPlatform:initializeAuth`, {});
          },
        },
      ];
    }
    return [...configFindings(target, config), ...(await googleFindings(target))];
  },
};

function configFindings({ google, projectId, appUrl }: Target, config: AuthConfig): Finding[] {
  const change = (text: string, action: string, mask: string, body: AuthConfig): Finding => ({
    text,
    action,
    apply: async () => {
      await google.patch(`${IDENTITY}/projects/${projectId}/config?updateMask=${mask}`, body);
    },
  });
  const findings: Finding[] = [];
  if (config.signIn?.email?.enabled !== true || config.signIn.email.passwordRequired !== true) {
    const signIn = { email: { enabled: true, passwordRequired: true } };
    const mask = 'signIn.email.enabled,signIn.email.passwordRequired';
    findings.push(
      change('Sign-in with e-mail and password is off.', 'enable e-mail and password', mask, { signIn }),
    );
  }
  const { authorizedDomains: domains = [] } = config;
  const host = new URL(appUrl).hostname;
  if (!domains.includes(host)) {
    const authorizedDomains = [...domains, host];
    const text = `${host} is no authorized domain, so nobody can sign in there.`;
    findings.push(change(text, `authorize ${host}`, 'authorizedDomains', { authorizedDomains }));
  }
  const callbackUri = `${appUrl}/auth/action`;
  if (config.notification?.sendEmail?.callbackUri !== callbackUri) {
    const text = "The links in Firebase's mail do not lead to the app.";
    const body = { notification: { sendEmail: { callbackUri } } };
    findings.push(
      change(text, `set the action URL ${callbackUri}`, 'notification.sendEmail.callbackUri', body),
    );
  }
  return findings;
}

/** Google needs an OAuth client, which only the console makes. */
async function googleFindings({ google, projectId }: Target): Promise<Finding[]> {
  const path = `${IDENTITY}/projects/${projectId}/defaultSupportedIdpConfigs/google.com`;
  const provider = await unlessMissing(google.get<{ enabled?: boolean }>(path));
  if (provider?.enabled === true) return [];
  return [
    {
      text: 'Sign-in with Google is off.',
      advice: `Enable it at https://console.firebase.google.com/project/${projectId}/authentication/providers`,
    },
  ];
}
