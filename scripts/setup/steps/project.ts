import { GoogleError, type Operation } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';

const googleApis = (names: string) => names.split(' ').map((name) => `${name}.googleapis.com`);

/** The APIs that a project without a billing account may enable. The check of its billing needs one of them. */
export const FREE_APIS = googleApis(
  'cloudbilling cloudresourcemanager fcm firebase firebasehosting firebaserules firebasestorage firestore iam iamcredentials ' +
    'identitytoolkit logging monitoring storage',
);

/** Google refuses to enable any API of a call if one of them needs a billing account that the project does not have. */
export const PAID_APIS = googleApis(
  'artifactregistry cloudbuild cloudfunctions cloudscheduler cloudtasks compute eventarc pubsub run secretmanager',
);

/** Service Usage enables at most 20 services in one call. */
const MOST_SERVICES = 20;

const USAGE_HOST = 'serviceusage.googleapis.com';
const USAGE = `${USAGE_HOST}/v1`;

/** https://cloud.google.com/service-usage/docs/reference/rest/v1/services */
export const freeApisStep: Step = {
  title: 'APIs',
  check: async (target) => {
    try {
      return enabling(target, await disabledApis(target, FREE_APIS));
    } catch (error) {
      // Only Google's own tools can enable the API that enables the others.
      if (!(error instanceof GoogleError) || error.disabledService !== USAGE_HOST) throw error;
      const command = `gcloud services enable ${USAGE_HOST} --project ${target.projectId}`;
      return [
        {
          text: `The API ${USAGE_HOST} is not enabled.`,
          advice: `Run ${command}, and then npm run setup again.`,
        },
      ];
    }
  },
};

/** The APIs of the Blaze plan, which is checked first. */
export const paidApisStep: Step = {
  title: 'APIs of the Blaze plan',
  check: async (target) => {
    const missing = await disabledApis(target, PAID_APIS);
    if (missing.length === 0 || (await hasBilling(target))) return enabling(target, missing);
    return [
      {
        text: `These APIs need the Blaze plan: ${missing.join(', ')}.`,
        advice: 'Choose it, and run npm run setup again.',
      },
    ];
  },
};

async function disabledApis(
  { google, projectId }: Target,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const names = wanted.map((name) => `names=projects/${projectId}/services/${name}`).join('&');
  const { services = [] } = await google.get<{ services?: { name: string; state: string }[] }>(
    `${USAGE}/projects/${projectId}/services:batchGet?${names}`,
  );
  const enabled = new Set(
    services.filter(({ state }) => state === 'ENABLED').map(({ name }) => name.split('/').at(-1)),
  );
  return wanted.filter((name) => !enabled.has(name));
}

function enabling({ google, projectId }: Target, missing: readonly string[]): Finding[] {
  const parts = [missing.slice(0, MOST_SERVICES), missing.slice(MOST_SERVICES)].filter(
    ({ length }) => length > 0,
  );
  return parts.map((serviceIds) => ({
    text: `These APIs are not enabled: ${serviceIds.join(', ')}.`,
    action: `enable ${serviceIds.length} APIs`,
    apply: async () => {
      const path = `${USAGE}/projects/${projectId}/services:batchEnable`;
      await google.finish(USAGE, await google.post<Operation>(path, { serviceIds }));
      google.expectEnabled(serviceIds);
    },
  }));
}

/**
 * Whether the project has a billing account.
 *
 * https://cloud.google.com/billing/docs/reference/rest/v1/projects/getBillingInfo
 */
export async function hasBilling({ google, projectId }: Target): Promise<boolean> {
  const { billingEnabled } = await google.get<{ billingEnabled?: boolean }>(
    `cloudbilling.googleapis.com/v1/projects/${projectId}/billingInfo`,
  );
  return billingEnabled === true;
}

export const billingStep: Step = {
  title: 'Blaze plan',
  check: async (target) => {
    if (await hasBilling(target)) return [];
    const { projectId } = target;
    return [
      {
        text: 'The project has no billing account, and functions need one.',
        advice: `Choose the Blaze plan at https://console.firebase.google.com/project/${projectId}/usage/details`,
      },
    ];
  },
};
