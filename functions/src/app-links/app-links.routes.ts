import * as z from 'zod';
import { json } from '../http/answer.ts';
import { route, type Route } from '../http/route.ts';
import { refusal } from '../refusals/refusals.ts';
import { androidStatementsOf, appleAssociationOf } from './association.ts';

const tag = 'Service';

/** Apple and Google fetch the files rarely and keep them for days. */
const CACHED = { 'Cache-Control': 'public, max-age=3600' };

const appleView = z.strictObject({
  applinks: z.strictObject({
    details: z.array(
      z.strictObject({
        appIDs: z.array(z.string()),
        components: z.array(z.strictObject({ '/': z.string() })),
      }),
    ),
  }),
});

const androidView = z.array(
  z
    .strictObject({
      relation: z.array(z.string()),
      target: z.strictObject({
        namespace: z.string(),
        package_name: z.string(),
        sha256_cert_fingerprints: z.array(z.string()),
      }),
    })
    .meta({ id: 'AndroidStatement' }),
);

const getAppleAssociationRoute = route({
  id: 'getAppleAssociation',
  method: 'get',
  path: '/.well-known/apple-app-site-association',
  tag,
  summary: 'Get the links that an app for iOS opens',
  description: 'Fetched by Apple. Made from `IOS_APP_IDS` and `APP_LINK_PATHS`.',
  access: 'public',
  appCheck: false,
  answers: { 200: json('The association of the configured apps.', appleView) },
  refusals: ['not_found'],
  handler: ({ backend }) => {
    const body = appleAssociationOf(backend.config);
    if (body === undefined) throw refusal('not_found');
    return Promise.resolve({ status: 200 as const, body, headers: CACHED });
  },
});

const getAndroidStatementsRoute = route({
  id: 'getAndroidStatements',
  method: 'get',
  path: '/.well-known/assetlinks.json',
  tag,
  summary: 'Get the apps for Android that open links',
  description: 'Fetched by Android and Google. Made from `ANDROID_PACKAGES` and `ANDROID_FINGERPRINTS`.',
  access: 'public',
  appCheck: false,
  answers: { 200: json('A statement for each configured app.', androidView) },
  refusals: ['not_found'],
  handler: ({ backend }) => {
    const body = androidStatementsOf(backend.config);
    if (body === undefined) throw refusal('not_found');
    return Promise.resolve({ status: 200 as const, body, headers: CACHED });
  },
});

export const appLinkRoutes: readonly Route[] = [getAppleAssociationRoute, getAndroidStatementsRoute];
