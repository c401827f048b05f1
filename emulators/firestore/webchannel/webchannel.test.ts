import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock, PROJECT, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';
import { parseForwardBody } from './encoding.ts';

const DATABASE = `projects/${PROJECT}/databases/(default)`;
const listenToCollection = {
  database: DATABASE,
  addTarget: {
    targetId: 2,
    query: { parent: `${DATABASE}/documents`, structuredQuery: { from: [{ collectionId: 'c' }] } },
  },
};

/** The arrays in a response's text; the last one may be incomplete and is left out. */
function unframe(text: string): unknown[] {
  const arrays: unknown[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const length = Number(text.slice(at, end));
    const chunk = text.slice(end + 1, end + 1 + length);
    if (end < 0 || chunk.length < length) break;
    arrays.push(...(JSON.parse(chunk) as unknown[]));
    at = end + 1 + length;
  }
  return arrays;
}

interface BackChannel {
  /** All arrays of this response, once there is one that satisfies the condition. */
  until(matches: (array: string) => boolean): Promise<unknown[]>;
  readonly ended: Promise<unknown[]>;
}

/** The protocol by hand. */
class Channel {
  readonly #base: string;
  sid = '';

  constructor({ server }: TestServer, method: 'Listen' | 'Write') {
    this.#base = `http://${server.host}:${server.port}/google.firestore.v1.Firestore/${method}/channel`;
  }

  fetch(parameters: Record<string, string>, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#base}?${new URLSearchParams({ VER: '8', ...parameters }).toString()}`, init);
  }

  async open(messages: readonly object[], token = 'owner'): Promise<Response> {
    const body = new URLSearchParams({ headers: `Authorization:Bearer ${token}\r\n`, ...maps(0, messages) });
    const response = await this.fetch(
      { RID: '1', CVER: '22', 'X-HTTP-Session-Id': 'gsessionid' },
      { method: 'POST', body },
    );
    const [[, [, sid]]] = unframe(await response.clone().text()) as [[number, [string, string]]];
    this.sid = sid;
    return response;
  }

  async send(firstId: number, messages: readonly object[], acknowledged = 0): Promise<unknown[]> {
    const response = await this.fetch(
      { SID: this.sid, RID: '2', AID: String(acknowledged) },
      { method: 'POST', body: new URLSearchParams(maps(firstId, messages)) },
    );
    return unframe(await response.text());
  }

  async listen(parameters: Record<string, string>): Promise<BackChannel> {
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const response = await this.fetch(
      { SID: this.sid, RID: 'rpc', TYPE: 'xmlhttp', CI: '0', AID: '0', ...parameters },
      { signal: abort.signal },
    );
    let text = '';
    let wake = (): void => undefined;
    const read = async (): Promise<unknown[]> => {
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        wake();
      }
      return unframe(text);
    };
    const ended = read();
    ended.catch(() => undefined);
    return {
      ended,
      until: (matches) =>
        new Promise((resolve) => {
          wake = () => {
            const arrays = unframe(text);
            if (arrays.some((array) => matches(JSON.stringify(array)))) resolve(arrays);
          };
          wake();
        }),
    };
  }

  terminate(): Promise<Response> {
    return this.fetch({ SID: this.sid, RID: '9', TYPE: 'terminate' }, { method: 'POST' });
  }
}

const maps = (firstId: number, messages: readonly object[]): Record<string, string> => ({
  count: String(messages.length),
  ofs: String(firstId),
  ...Object.fromEntries(messages.map((message, index) => [`req${index}___data__`, JSON.stringify(message)])),
});

const isSnapshot = (array: string): boolean => array.includes('NO_CHANGE');
const kinds = (arrays: readonly unknown[]): string[] =>
  arrays.map((array) => {
    const text = JSON.stringify(array);
    return `${text.slice(1, text.indexOf(','))} ${/noop|close|ADD|CURRENT|NO_CHANGE|documentChange|error/.exec(text)?.[0] ?? ''}`;
  });
const FIRST_SNAPSHOT = ['1 ADD', '2 CURRENT', '3 NO_CHANGE'];

describe('a channel', () => {
  test('is opened with the first message, and streams the messages of the server', async () => {
    const server = await serveForTest();
    const channel = new Channel(server, 'Listen');
    const handshake = await channel.open([listenToCollection]);
    expect(handshake.headers.get('x-http-session-id')).toBe(channel.sid);
    expect(unframe(await handshake.text())).toEqual([[0, ['c', channel.sid, '', 8, 14, 30_000]]]);
    const back = await channel.listen({});
    expect(kinds(await back.until(isSnapshot))).toEqual(FIRST_SNAPSHOT);
    await server.firestore.doc('c/😀').set({ text: '😀' });
    const arrays = await back.until((array) => array.startsWith('[5'));
    expect(kinds(arrays)).toEqual([...FIRST_SNAPSHOT, '4 documentChange', '5 NO_CHANGE']);
  });

  test('repeats messages that the client has not confirmed, on the newest response only', async () => {
    const channel = new Channel(await serveForTest(), 'Listen');
    await channel.open([listenToCollection]);
    const first = await channel.listen({});
    await first.until(isSnapshot);
    const second = await channel.listen({ AID: '1' });
    expect(kinds(await second.until(isSnapshot))).toEqual(['2 CURRENT', '3 NO_CHANGE']);
    expect(kinds(await first.ended)).toEqual(FIRST_SNAPSHOT);
  });

  test('ends each response after its first messages when the client polls', async () => {
    const server = await serveForTest();
    const channel = new Channel(server, 'Listen');
    await channel.open([listenToCollection]);
    expect(kinds(await (await channel.listen({ CI: '1' })).ended)).toEqual(FIRST_SNAPSHOT);
    const next = await channel.listen({ CI: '1', AID: '3' });
    await server.firestore.doc('c/1').set({});
    expect(kinds(await next.ended)).toEqual(['4 documentChange', '5 NO_CHANGE']);
  });

  test('processes each message once and in order, even if it is sent again', async () => {
    const { firestore, server } = await serveForTest();
    const channel = new Channel({ firestore, server }, 'Write');
    await channel.open([{ database: DATABASE }]);
    const increment = {
      writes: [
        {
          transform: {
            document: `${DATABASE}/documents/c/1`,
            fieldTransforms: [{ fieldPath: 'a', increment: { integerValue: '1' } }],
          },
        },
      ],
    };
    await channel.send(2, [increment]);
    expect((await firestore.doc('c/1').get()).exists).toBe(false);
    expect(await channel.send(1, [increment, increment])).toEqual([
      0,
      expect.any(Number),
      expect.any(Number),
    ]);
    await channel.send(1, [increment]);
    const back = await channel.listen({});
    await back.until((array) => array.startsWith('[3'));
    expect((await firestore.doc('c/1').get()).get('a')).toBe(2);
  });

  test('sends the error that ends its stream', async () => {
    const channel = new Channel(await serveForTest(), 'Write');
    await channel.open([{ database: DATABASE }], 'eyJhbGciOiJub25lIn0.e30.');
    await channel.send(1, [{ writes: [{ delete: `${DATABASE}/documents/c/1` }] }]);
    const back = await channel.listen({});
    const arrays = await back.until((array) => array.includes('close'));
    expect(arrays).toMatchObject([
      [1, [{ streamId: {} }]],
      [2, [{ error: { code: 403, status: 'PERMISSION_DENIED' } }]],
      [3, ['close']],
    ]);
  });

  test.each([
    ['streams', '0'],
    ['polls', '1'],
  ])('ends its response when its stream ends, and is then forgotten: the client %s', async (_name, CI) => {
    const channel = new Channel(await serveForTest(), 'Write');
    await channel.open([{ database: DATABASE }]);
    await (
      await channel.listen({ CI: '1' })
    ).ended;
    const waiting = await channel.listen({ CI, AID: '1' });
    await channel.send(1, [{ writes: [{ delete: 'not a name' }] }], 1);
    const arrays = await waiting.ended;
    expect(kinds(arrays).slice(-2)).toEqual([
      expect.stringContaining('error'),
      expect.stringContaining('close'),
    ]);
    const last = (arrays.at(-1) as [number])[0];
    expect(kinds(await (await channel.listen({ CI, AID: String(last - 1) })).ended)).toEqual([
      `${last} close`,
    ]);
    expect(await (await channel.listen({ CI, AID: String(last) })).ended).toEqual([]);
    expect((await channel.fetch({ SID: channel.sid, RID: '3' }, { method: 'POST' })).status).toBe(400);
  });

  test('is kept alive, and forgotten a minute after the client has left', async () => {
    const clock = new ManualClock();
    const channel = new Channel(await serveForTest({ clock }), 'Listen');
    await channel.open([listenToCollection]);
    const back = await channel.listen({});
    await back.until(isSnapshot);
    clock.advance(30_000);
    expect(kinds(await back.until((array) => array.includes('noop'))).at(-1)).toBe('4 noop');
    const left = await channel.listen({ CI: '1', AID: '3' });
    await left.ended;
    clock.advance(60_000);
    expect((await channel.fetch({ SID: channel.sid, RID: '2' }, { method: 'POST' })).status).toBe(400);
  });

  test('ends when the client terminates it', async () => {
    const channel = new Channel(await serveForTest(), 'Listen');
    await channel.open([listenToCollection]);
    const back = await channel.listen({});
    expect((await channel.terminate()).status).toBe(200);
    await back.ended;
    const late = await channel.fetch({ SID: channel.sid, RID: '3' }, { method: 'POST' });
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('Unknown SID')]);
  });

  test.each([
    ['another version', { VER: '9' }, 'POST', 400],
    ['a handshake by GET', {}, 'GET', 400],
    ['an unknown session', { SID: 'x', RID: 'rpc' }, 'GET', 400],
  ])('refuses %s', async (_name, parameters, method, status) => {
    const channel = new Channel(await serveForTest(), 'Listen');
    expect((await channel.fetch(parameters, { method })).status).toBe(status);
  });
});

test.each(['count=1', 'count=-1', 'count=x', 'count=1&ofs=a&req0___data__={}', 'count=1001'])(
  'a forward request of %s is refused',
  (body) => {
    expect(() => parseForwardBody(body)).toThrow();
  },
);
