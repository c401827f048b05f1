import { serveApp, type AppUnderTest } from './app.ts';
import type { Person } from './people.ts';
import { call } from './requests.ts';

/**
 * Registers and removes a device in an app with push messages, and adds the answers to those of `app`, which has none.
 * So the costs of the other routes are those without push messages.
 */
export async function askForDevices({ contract }: AppUnderTest, { bearer: headers }: Person): Promise<void> {
  const app = await serveApp({ config: { pushMessages: true, userCacheSeconds: 0 } });
  const devices = `${app.url}/api/auth/devices`;
  const registered = await call('POST', devices, { headers, json: { token: 'token' } });
  const { id } = (await registered.json()) as { id: string };
  await call('DELETE', `${devices}/${id}`, { headers });
  contract.seen.push(...app.contract.seen);
  await app[Symbol.asyncDispose]();
}
