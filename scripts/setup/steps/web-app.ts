import { BRAND } from '../../../shared/src/brand.ts';
import type { Operation } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';
import { hostingSitesOf } from './sign-in.ts';

const FIREBASE = 'firebase.googleapis.com/v1beta1';
const HOSTING = 'firebasehosting.googleapis.com/v1beta1';

interface Site {
  /** `projects/{project}/sites/{site}` */
  name: string;
  appId?: string;
}

interface WebApp {
  appId: string;
}

/**
 * Each Hosting site has a registered web app. The pages read their settings from `/__/firebase/init.json` of the site,
 * which has an `appId` only then. App Check does not start without one.
 */
export const webAppStep: Step = {
  title: 'Web app',
  check: async (target) => {
    const { google, projectId } = target;
    const wanted = hostingSitesOf(target);
    const sites = await google.list<Site>(`${HOSTING}/projects/${projectId}/sites`, 'sites');
    const unlinked = sites.filter(
      ({ name, appId = '' }) => appId === '' && wanted.includes(name.split('/').at(-1) ?? ''),
    );
    if (unlinked.length === 0) return [];
    const [app] = await google.list<WebApp>(`${FIREBASE}/projects/${projectId}/webApps`, 'apps');
    if (app === undefined) return [registration(target)];
    return unlinked.map((site) => link(target, site, app));
  },
};

/** https://firebase.google.com/docs/reference/firebase-management/rest/v1beta1/projects.webApps/create */
function registration({ google, projectId }: Target): Finding {
  return {
    text: 'The project has no web app, so App Check cannot start in the pages.',
    action: `register the web app "${BRAND.name}"`,
    apply: async () => {
      const path = `${FIREBASE}/projects/${projectId}/webApps`;
      const operation = await google.post<Operation>(path, { displayName: BRAND.name });
      await google.finish(FIREBASE, operation);
    },
  };
}

/** https://firebase.google.com/docs/reference/hosting/rest/v1beta1/projects.sites/patch */
function link({ google }: Target, { name }: Site, { appId }: WebApp): Finding {
  const site = name.split('/').at(-1) ?? '';
  return {
    text: `The Hosting site ${site} has no web app, so App Check cannot start in its pages.`,
    action: `link the Hosting site ${site} to the web app ${appId}`,
    apply: async () => {
      await google.patch(`${HOSTING}/${name}?updateMask=appId`, { appId });
    },
  };
}
