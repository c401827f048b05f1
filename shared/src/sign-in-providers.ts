/** The ways to sign in that a project can have. */
export const PROVIDERS = ['password', 'google'] as const;

export type Provider = (typeof PROVIDERS)[number];

/** A setting of the set-up that no function reads. */
export const PROVIDERS_NAME = 'SIGN_IN_PROVIDERS';

/**
 * The ways to sign in that the operator wants. All, if nothing is known.
 *
 * @param name of the setting with this value
 * @throws Error for a value that is not allowed
 */
export function readProviders(value: string | undefined, name: string = PROVIDERS_NAME): readonly Provider[] {
  if (value === undefined) return PROVIDERS;
  const words = value.split(',');
  const chosen = PROVIDERS.filter((provider) => words.includes(provider));
  if (chosen.length !== words.length) throw new Error(`${name} must be password, google or password,google.`);
  return chosen;
}
