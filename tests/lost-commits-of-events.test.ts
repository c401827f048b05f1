import { beforeAll, expect, test, vi } from 'vitest';
import type { TestSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import type { AppUnderTest } from './support/app.ts';
import { formWith, png } from './support/files.ts';
import { loseEachCommit } from './support/lost-commits.ts';
import { watchNetwork, type Network } from './support/network.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { documentedBytes, usedBytes } from './support/uploads.ts';

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
const { eventOf, finalize, isThere, sendAs } = await import('./support/direct-uploads.ts');
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
  app = resources.use(await serveApp({ config: { mailSmtpUrl: smtp.url, imageSizes: [16] } }));
});

const PICTURE = png(40, 30);

/** The work of an event, and the check that follows it. */
interface Attempt {
  operate: () => Promise<void>;
  check: () => Promise<void>;
}

const logged = (id: string) => lines.filter((line) => line.includes(id));

const writeMail = (fields: object = {}) =>
  adminFirestore()
    .collection('mail')
    .add({ to: ['ann@example.com'], message: MESSAGE, ...fields });

const uploadOf = async (id: string) => (await adminFirestore().doc(`uploads/${id}`).get()).data() ?? {};

async function variantsOf(id: string): Promise<{ url: string; path: string }[]> {
  return (await uploadOf(id))['variants'] as { url: string; path: string }[];
}

/** A picture that was sent by the API, before its event. */
async function picture() {
  const { uid, bearer: headers } = await signUp();
  const body = formWith(PICTURE, 'photo.png');
  const answer = await call('POST', `${app.url}/api/upload`, { headers, body });
  const id = answer.headers.get('X-Upload-Id') ?? '';
  return { uid, id, path: (await uploadOf(id))['path'] as string };
}

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
  'a picture gets variants that can be read': async () => {
    const { id, path } = await picture();
    const event = await eventOf(app, path);
    return {
      operate: () => finalize(app, event),
      check: async () => {
        const variants = await variantsOf(id);
        expect(variants).toHaveLength(1);
        for (const { url } of variants) expect((await fetch(url)).status).toBe(200);
      },
    };
  },
  'a direct upload is stored, and counted once': async () => {
    const person = await signUp();
    const { id, path } = await sendAs(person, PICTURE);
    const event = await eventOf(app, path);
    return {
      operate: () => finalize(app, event),
      check: async () => {
        expect(await uploadOf(id)).toMatchObject({ status: 'stored' });
        expect(await usedBytes(person.uid)).toBe(PICTURE.length);
        expect(await documentedBytes(person.uid)).toBe(PICTURE.length);
      },
    };
  },
  'a file that was overwritten is removed with its variants, and logged once': async () => {
    const { uid, id, path } = await picture();
    await finalize(app, await eventOf(app, path));
    const variants = await variantsOf(id);
    await (await app.backend.bucket()).file(path).save('<script>');
    const event = await eventOf(app, path);
    return {
      operate: () => finalize(app, event),
      check: async () => {
        const paths = [path, ...variants.map((variant) => variant.path)];
        expect(paths).toHaveLength(2);
        expect(await Promise.all(paths.map((object) => isThere(app, object)))).toEqual([false, false]);
        expect(logged(id)).toHaveLength(1);
        expect(await usedBytes(uid)).toBe(0);
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
