import { PROVIDERS_NAME } from '../../shared/src/sign-in-providers.ts';
import { IDENTITY_PLATFORM_NAME } from './identity-platform.ts';
import { PROTECTION_NAMES } from './protection.ts';

/** Names in `.env.<project id>` that only the set-up and the doctor read. */
export const SETUP_SETTINGS: readonly string[] = [
  ...PROTECTION_NAMES,
  PROVIDERS_NAME,
  IDENTITY_PLATFORM_NAME,
];
