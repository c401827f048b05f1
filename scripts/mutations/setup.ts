import type { Mutation } from './mutation.ts';

const STEPS = 'scripts/setup/steps';

export const SETUP_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'DELETED_FILES_DAYS=0 switches soft delete off',
    file: `${STEPS}/protection.ts`,
    from: 'return isChosen ? current === days : current >= days;',
    to: 'return isChosen && days > 0 ? current === days : current >= days;',
    tests: ['scripts/setup/protection.test.ts'],
  },
  {
    guard: 'The set-up leaves the schedules of backups that a choice of 0 leaves out',
    file: `${STEPS}/protection.ts`,
    from: 'if (wanted.days === 0 || isKept(current, wanted)) return [];',
    to: 'if (isKept(current, wanted)) return [];',
    tests: ['scripts/setup/protection.test.ts'],
  },
  {
    guard: 'An operator who does not want to pay for Identity Platform does not get it',
    file: `${STEPS}/sign-in.ts`,
    from: '!target.allowsIdentityPlatform || ',
    to: '',
    tests: ['scripts/setup/sign-in.test.ts'],
  },
  {
    guard: 'The set-up replaces an endpoint whose secret is not the stored one',
    file: `${STEPS}/stripe-webhook.ts`,
    from: 'return isMarked(endpoint) ? `${text}. ${IF_ROLLED}` : undefined;',
    to: 'return undefined;',
    tests: ['scripts/setup/stripe-webhook.test.ts'],
  },
  {
    guard: 'A deployment does not choose the region',
    file: 'scripts/setup/missing-settings.ts',
    from: 'if (current[SETTINGS.region.name] === undefined) throw new Error(noRegion(projectId));',
    to: '',
    tests: ['scripts/setup/missing-settings.test.ts'],
  },
  {
    guard: 'A build has the packages of the lock file',
    file: 'scripts/locked-packages.ts',
    from: 'return locked === version ? []',
    to: 'return locked !== undefined ? []',
    tests: ['scripts/locked-packages.test.ts'],
  },
  {
    guard: 'A test key of the environment does not replace a live key',
    file: 'scripts/setup/target.ts',
    from: 'if (!replacesLiveKey) assertNotTestForLive(given, stored);',
    to: '',
    tests: ['scripts/setup/command.test.ts'],
  },
  {
    guard: 'A secret is read in its newest version that is enabled',
    file: `${STEPS}/secrets.ts`,
    from: 'number === undefined) return undefined;\n  const path = `${MANAGER}/projects/${projectId}/secrets/${name}/versions/${number}:access`;',
    to: 'number === undefined) return undefined;\n  const path = `${MANAGER}/projects/${projectId}/secrets/${name}/versions/latest:access`;',
    tests: ['scripts/setup/secrets.test.ts'],
  },
];
