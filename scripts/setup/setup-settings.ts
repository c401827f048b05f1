import { IDENTITY_PLATFORM_NAME } from './identity-platform.ts';
import { PROTECTION_NAMES } from './protection.ts';
import { PROVIDERS_NAME } from './sign-in-providers.ts';

/** Names in `.env.<project id>` that only the set-up and the doctor read. */
export const SETUP_SETTINGS: readonly string[] = [
  ...PROTECTION_NAMES,
  PROVIDERS_NAME,
  IDENTITY_PLATFORM_NAME,
];
