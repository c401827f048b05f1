import {
  getMultiFactorResolver,
  multiFactor,
  TotpMultiFactorGenerator,
  type Auth,
  type MultiFactorError,
  type MultiFactorInfo,
  type MultiFactorResolver,
  type User,
  type UserCredential,
} from 'firebase/auth';
import { UserFacingError } from '../errors.ts';
import { signInTexts } from './texts.ts';

/** The authenticator apps of a user, of which Firebase Auth asks for a code at each sign-in. */
export function authenticatorsOf(user: User): MultiFactorInfo[] {
  return multiFactor(user).enrolledFactors.filter(isAuthenticator);
}

const isAuthenticator = ({ factorId }: MultiFactorInfo) => factorId === TotpMultiFactorGenerator.FACTOR_ID;

/** The result of the first step of a sign-in: the user, or what completes it if the account has a second factor. */
export type FirstStep = { user: User } | { resolver: MultiFactorResolver };

/** Runs the first step of a sign-in. */
export async function signInFirst(auth: Auth, signIn: () => Promise<UserCredential>): Promise<FirstStep> {
  try {
    return { user: (await signIn()).user };
  } catch (error) {
    if (!isSecondFactorNeeded(error)) throw error;
    return { resolver: getMultiFactorResolver(auth, error) };
  }
}

/**
 * Completes a sign-in with a code of an authenticator app.
 *
 * @throws UserFacingError if the account has another kind of second factor only
 */
export function signInSecond(resolver: MultiFactorResolver, code: string): Promise<UserCredential> {
  const authenticator = resolver.hints.find(isAuthenticator);
  if (authenticator === undefined) {
    throw new UserFacingError(signInTexts().code.otherFactor);
  }
  return resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(authenticator.uid, code));
}

function isSecondFactorNeeded(error: unknown): error is MultiFactorError {
  return error instanceof Error && 'code' in error && error.code === 'auth/multi-factor-auth-required';
}
