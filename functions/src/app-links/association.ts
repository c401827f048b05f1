import { INVITATION_LINKS } from '@hearth/shared/invitation-links';
import type { Config } from '../settings/config.ts';

const INVITATION_PATHS = Object.values(INVITATION_LINKS);

/** The file with which iOS learns which links an app opens. */
export interface AppleAssociation {
  applinks: { details: { appIDs: string[]; components: { '/': string }[] }[] };
}

/**
 * Allows the configured apps to open the links of invitations and the configured paths.
 *
 * https://developer.apple.com/documentation/xcode/supporting-associated-domains
 *
 * @returns undefined if no app is configured
 */
export function appleAssociationOf({
  iosAppIds,
  appLinkPaths,
}: Pick<Config, 'iosAppIds' | 'appLinkPaths'>): AppleAssociation | undefined {
  if (iosAppIds.length === 0) return undefined;
  const components = [...INVITATION_PATHS, ...appLinkPaths].map((path) => ({ '/': path }));
  return { applinks: { details: [{ appIDs: [...iosAppIds], components }] } };
}

/** An entry of the file with which Android verifies that an app may open the links of a site. */
export interface AndroidStatement {
  relation: string[];
  target: { namespace: string; package_name: string; sha256_cert_fingerprints: string[] };
}

/**
 * One statement for each configured app. The app itself names the paths that it opens, in its manifest.
 *
 * https://developer.android.com/training/app-links/verify-android-applinks
 *
 * @returns undefined if no app is configured
 */
export function androidStatementsOf({
  androidPackages,
  androidFingerprints,
}: Pick<Config, 'androidPackages' | 'androidFingerprints'>): AndroidStatement[] | undefined {
  if (androidPackages.length === 0) return undefined;
  return androidPackages.map((name) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: name,
      sha256_cert_fingerprints: [...androidFingerprints],
    },
  }));
}
