import { beforeAll, expect, test, vi } from 'vitest';
import type { TestSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import type { AppUnderTest } from './support/app.ts';
import { loseEachCommit } from './support/lost-commits.ts';
import { watchNetwork, type Network } from './support/network.ts';
import { adminFirestore } from './support/people.ts';
import { useResources } from './support/resources.ts';

/** The same as lost-commits.test.ts, for work that an event begins: nobody repeats it when it returns. */

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});
const { serveApp } = await import('./support/app.ts');
const { deliverMail } = await import('../functions/src/mail/deliver.service.ts');
const { startSmtpServer } = await import('../functions/src/mail/testing/smtp-server.ts');
const { MESSAGE } = await import('./support/mail-delivery.ts');

let network: Network;
let smtp: TestSmtpServer;
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  network = resources.use(await watchNetwork());
  smtp = resources.use(await startSmtpServer());
  app = resources.use(await serveApp({ config: { mailSmtpUrl: smtp.url } }));
});

/** What an event does, and what must be true after it. */
interface Attempt {
  operate: () => Promise<void>;
  check: () => Promise<void>;
}

const logged = (id: string) => lines.filter((line) => line.includes(id));

const writeMail = (fields: object = {}) =>
  adminFirestore()
    .collection('mail')
    .add({ to: ['ann@example.com'], message: MESSAGE, ...fields });

const OPERATIONS: Readonly<Record<string, () => Promise<Attempt>>> = {
  'a mail is sent once': async () => {
    const mail = await writeMail();
    return {
      operate: () => deliverMail(app.backend, mail.id),
      check: async () => {
        expect(smtp.messages).toHaveLength(1);
        expect((await mail.get()).get('delivery.state')).toBe('SUCCESS');
      },
    };
  },
  'a mail that is given up is logged once': async () => {
    const mail = await writeMail({ delivery: { state: 'PROCESSING', leaseExpireTime: new Date(0) } });
    return {
      operate: () => deliverMail(app.backend, mail.id),
      check: async () => {
        expect(smtp.messages).toEqual([]);
        expect((await mail.get()).get('delivery.state')).toBe('ERROR');
        expect(logged(mail.id)).toHaveLength(1);
      },
    };
  },
};

test.for(Object.entries(OPERATIONS))('if the answer to any commit is lost: %s', async ([, prepare]) => {
  const commits = await loseEachCommit(network, async () => {
    smtp.messages.length = 0;
    return { result: undefined, ...(await prepare()) };
  });
  expect(commits).toBeGreaterThan(0);
});
