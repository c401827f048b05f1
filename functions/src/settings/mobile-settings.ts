import * as z from 'zod';
import { flag, list, text } from './kinds.ts';
import { appPathSchema } from './schemas.ts';

/** The most entries of one list. */
const MAX = 20;

const IOS_MESSAGE = 'must be none or app ids such as ABCDE12345.com.example.app';

const iosAppIdsSchema = z
  .array(z.string().regex(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/, IOS_MESSAGE), IOS_MESSAGE)
  .max(MAX);

const PACKAGE_MESSAGE = 'must be none or package names such as com.example.app';

const androidPackagesSchema = z
  .array(z.string().regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, PACKAGE_MESSAGE), PACKAGE_MESSAGE)
  .max(MAX);

const FINGERPRINT_MESSAGE = 'must be none or SHA-256 fingerprints such as 14:6D:…:E5 with 32 bytes each';

const fingerprintsSchema = z
  .array(
    z
      .string()
      .toUpperCase()
      .regex(/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/, FINGERPRINT_MESSAGE),
    FINGERPRINT_MESSAGE,
  )
  .max(MAX);

const linkPathsSchema = z.array(appPathSchema, 'must be none or paths separated by commas').max(MAX);

const tokenHashSchema = z
  .string()
  .regex(/^(none|[0-9a-f]{64})$/, 'must be none or the SHA-256 hash of a token in lower-case hex');

export const mobile = {
  iosAppIds: list('IOS_APP_IDS', {
    default: 'none',
    values: 'ids of the form TEAMID.bundle.id separated by commas, or none',
    schema: iosAppIdsSchema,
    description: 'Apps for iOS that open links to the app',
  }),
  androidPackages: list('ANDROID_PACKAGES', {
    default: 'none',
    values: 'package names separated by commas, or none',
    schema: androidPackagesSchema,
    description: 'Apps for Android that open links to the app',
  }),
  androidFingerprints: list('ANDROID_FINGERPRINTS', {
    default: 'none',
    values: 'SHA-256 fingerprints separated by commas, or none',
    schema: fingerprintsSchema,
    description: 'Certificates that sign the apps for Android. Play Console shows them under App integrity',
  }),
  appLinkPaths: list('APP_LINK_PATHS', {
    default: 'none',
    values: 'paths separated by commas, or none',
    schema: linkPathsSchema,
    description: 'Paths that an app for iOS opens besides invitation links, such as /auth/action',
  }),
  pushMessages: flag('PUSH_MESSAGES', {
    default: false,
    description: 'Send push messages to the devices that the apps have registered',
  }),
  storeTokenHash: text('STORE_TOKEN_HASH', {
    default: 'none',
    values: 'a SHA-256 hash in hex, or none',
    schema: tokenHashSchema,
    description: 'Hash of the token that authorizes events of app stores. With none they are refused',
  }),
  storeSandbox: flag('STORE_SANDBOX', {
    default: false,
    description: 'Accept test purchases in app stores, such as those of reviewers. They are free',
  }),
};

/** The problem of settings that need each other; undefined if they fit. */
export function mobileConflict(config: {
  androidPackages: readonly string[];
  androidFingerprints: readonly string[];
}): string | undefined {
  const { androidPackages, androidFingerprints } = config;
  if (androidPackages.length > 0 === androidFingerprints.length > 0) return undefined;
  return 'must be set together with ANDROID_PACKAGES, or both must be none';
}
