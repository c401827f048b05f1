/**
 * Serves the app in a process of its own, which a test kills. It sends its URL as `{ url }`, and answers a message
 * `{ dieAt }` with the same message as soon as it will die there.
 *
 * `dieAt` is the number of a Firestore commit and whether to die before it is sent or after it is answered, such as
 * `2:before`: the process ends there as by `kill -9`. Only successful commits count. A commit that is aborted because
 * its transaction was slow on a busy machine is repeated.
 */
import { flushCompileCache } from 'node:module';
import { getApps, initializeApp } from 'firebase-admin/app';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { createApp } from '../../functions/src/app.ts';
import { createBackend } from '../../functions/src/backend.ts';
import { FEATURE_HOOKS } from '../../functions/src/feature-hooks/registry.ts';
import { testConfig } from './config.ts';
import { listen } from './listen.ts';

const config = testConfig(process.env['STRIPE_URL'] ?? '');
const backend = createBackend(config, FEATURE_HOOKS);
// The backend opens the same client.
const firestore = getFirestore(getApps()[0] ?? initializeApp());
process.on('message', (message: { dieAt: string }) => {
  dieAtCommit(firestore, message.dieAt);
  process.send?.(message);
});
const { url } = await listen(createApp(backend));
// A killed process would not save its compile cache for the next process.
flushCompileCache();
process.send?.({ url });

function dieAtCommit(firestore: Firestore, point: string): void {
  let committed = 0;
  // The one place through which the SDK sends its calls.
  const send = Reflect.get(firestore, 'request') as (method: string, ...rest: unknown[]) => Promise<unknown>;
  Reflect.set(firestore, 'request', async (method: string, ...rest: unknown[]) => {
    if (method !== 'commit') return send.call(firestore, method, ...rest);
    if (point === `${committed + 1}:before`) die();
    const answer = await send.call(firestore, method, ...rest);
    committed += 1;
    if (point === `${committed}:after`) die();
    return answer;
  });
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
