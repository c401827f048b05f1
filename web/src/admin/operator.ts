import { HearthError } from '@hearth/client';
import { signInWithCustomToken } from 'firebase/auth';
import { startFirebase } from '../backend/firebase.ts';
import { currentSession, hearth } from '../backend/hearth.ts';
import { showUser } from '../backend/shown-user.ts';
import { UserFacingError } from '../errors.ts';
import { adminTexts } from './texts.ts';

/** Puts the refusals of operators' requests in words. */
export async function asOperator<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const texts = adminTexts().refusals;
    const code = error instanceof HearthError ? error.code : '';
    if (code === 'not_found') throw new UserFacingError(texts.notOperator, { cause: error });
    if (code === 'recent_sign_in_required') {
      throw new UserFacingError(texts.signInAgain, { cause: error });
    }
    throw error;
  }
}

/** Signs the operator in as somebody who sees the service as the user, and opens their dashboard. */
export async function seeAs(uid: string, reason: string): Promise<void> {
  const { token } = await asOperator(() => hearth.admin.impersonate(uid, reason));
  const { auth } = await startFirebase();
  const session = await currentSession();
  // From the sign-in on, this page shows nobody. Those of other tabs say that they belong to the operator.
  showUser(undefined);
  try {
    const { user } = await signInWithCustomToken(auth, token);
    await hearth.account.startSession(await user.getIdToken());
  } catch (error) {
    showUser(session);
    throw error;
  }
  location.assign('/dashboard');
}
