import { expect, test } from 'vitest';
import { androidStatementsOf, appleAssociationOf } from './association.ts';

const FINGERPRINT = Array(32).fill('AB').join(':');

test('each app for iOS opens the links of invitations and the configured paths', () => {
  const iosAppIds = ['ABCDE12345.com.example.app', 'ABCDE12345.com.example.beta'];
  expect(appleAssociationOf({ iosAppIds, appLinkPaths: ['/auth/action'] })).toEqual({
    applinks: {
      details: [
        {
          appIDs: iosAppIds,
          components: [
            { '/': '/api/team/accept-invitation' },
            { '/': '/api/team/reject-invitation' },
            { '/': '/auth/action' },
          ],
        },
      ],
    },
  });
});

test('each app for Android has a statement with all certificates', () => {
  const androidPackages = ['com.example.app', 'com.example.beta'];
  const statements = androidStatementsOf({ androidPackages, androidFingerprints: [FINGERPRINT] });
  expect(statements?.map(({ target }) => target)).toEqual(
    androidPackages.map((name) => ({
      namespace: 'android_app',
      package_name: name,
      sha256_cert_fingerprints: [FINGERPRINT],
    })),
  );
});

test('without an app there is no file', () => {
  expect(appleAssociationOf({ iosAppIds: [], appLinkPaths: [] })).toBeUndefined();
  expect(androidStatementsOf({ androidPackages: [], androidFingerprints: [] })).toBeUndefined();
});
