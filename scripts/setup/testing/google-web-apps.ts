import { path, type Method } from './google-method.ts';

const FIREBASE = 'firebase.googleapis.com/v1beta1';
const HOSTING = 'firebasehosting.googleapis.com/v1beta1';

/** The methods for registered web apps and Hosting sites. */
export const WEB_APP_METHODS: Method[] = [
  {
    verb: 'GET',
    path: path(`${FIREBASE}{project}/webApps`),
    query: ['pageToken'],
    answer: ({ webApps }) => (webApps.length === 0 ? {} : { apps: webApps }),
  },
  {
    verb: 'POST',
    path: path(`${FIREBASE}{project}/webApps`),
    fields: ['displayName'],
    answer: ({ webApps }, { body }) => {
      webApps.push({ appId: `1:123456:web:${webApps.length}`, displayName: body['displayName'] });
      return { name: 'operations/web-app-1' };
    },
  },
  {
    verb: 'GET',
    path: path(`${FIREBASE}/operations/web-app-1`),
    answer: () => ({ name: 'operations/web-app-1', done: true }),
  },
  {
    verb: 'GET',
    path: path(`${HOSTING}{project}/sites`),
    query: ['pageToken'],
    answer: ({ sites }) => ({ sites }),
  },
  {
    verb: 'PATCH',
    path: path(`${HOSTING}{project}/sites/*`),
    query: ['updateMask'],
    fields: ['appId'],
    answer: ({ sites }, { parts: [id = ''], query, body }) => {
      const site = sites.find(({ name }) => name.endsWith(`/${id}`));
      if (site === undefined || query.get('updateMask') !== 'appId') return 404;
      site.appId = String(body['appId']);
      return site;
    },
  },
];
