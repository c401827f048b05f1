import type { BrowserContext } from 'playwright-core';

/**
 * Answers Google's script for talking to a frame, which no package carries, with as much of it as the Firebase SDK and
 * the Auth emulator's page use; nothing else outside the machine is answered.
 */
export async function stubGapi(context: BrowserContext): Promise<void> {
  const isLocal = (url: URL) => url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  await context.route(
    (url) => !isLocal(url),
    (route) => route.abort(),
  );
  await context.route('https://apis.google.com/js/api.js*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${gapi.toString()})()` }),
  );
}

interface Envelope {
  gapi: 'call' | 'answer' | 'ready';
  id: number;
  type: string;
  data: unknown;
}

type Handler = (data: unknown) => unknown;

/** Runs in the page and in the frame. */
function gapi(): void {
  class Peer {
    readonly #target: () => Window;
    readonly #handlers = new Map<string, Handler>();
    readonly #waiting: Envelope[] = [];
    readonly #answers = new Map<number, (results: unknown[]) => void>();
    readonly ready: Promise<void>;
    #lastId = 0;

    constructor(target: () => Window) {
      this.#target = target;
      this.ready = new Promise((resolve) => {
        addEventListener('message', ({ data, source }: MessageEvent<Partial<Envelope> | null>) => {
          if (source !== target() || data?.gapi === undefined) return;
          if (data.gapi === 'ready') resolve();
          else if (data.gapi === 'call') this.#take(data as Envelope);
          else this.#tell(data as Envelope);
        });
      });
    }

    /** A call that comes before its handler waits for it. */
    #take(call: Envelope): void {
      const handler = this.#handlers.get(call.type);
      if (handler === undefined) this.#waiting.push(call);
      else this.#post({ ...call, gapi: 'answer', data: handler(call.data) });
    }

    /** The SDK throws in such a callback even when all is well, which Google's script keeps to itself. */
    #tell({ id, data }: Envelope): void {
      try {
        this.#answers.get(id)?.([data]);
      } catch {
        return;
      }
    }

    #post(envelope: Envelope): void {
      this.#target().postMessage(envelope, '*');
    }

    register(type: string, handler: Handler): void {
      this.#handlers.set(type, handler);
      for (const call of this.#waiting.splice(0)) this.#take(call);
    }

    send(type: string, data: unknown, answered: (results: unknown[]) => void): void {
      const id = ++this.#lastId;
      this.#answers.set(id, answered);
      this.#post({ gapi: 'call', id, type, data });
    }

    announce(): void {
      this.#post({ gapi: 'ready', id: 0, type: '', data: undefined });
    }

    async restyle(): Promise<void> {
      await this.ready;
    }

    async ping(answered: () => void): Promise<void> {
      await this.ready;
      answered();
    }
  }

  const context = {
    open: ({ url }: { url: string }, opened: (frame: Peer) => Promise<Peer>) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      frame.hidden = true;
      const peer = new Peer(() => frame.contentWindow ?? window);
      document.body.append(frame);
      return opened(peer);
    },
    getParentIframe: () => parentPeer,
  };
  const parentPeer = window.parent === window ? undefined : new Peer(() => window.parent);
  Reflect.set(globalThis, 'gapi', {
    load: (_name: string, { callback }: { callback: () => void }) => {
      callback();
    },
    iframes: { CROSS_ORIGIN_IFRAMES_FILTER: 'all', Iframe: Peer, getContext: () => context },
  });
  parentPeer?.announce();
  const { src } = document.currentScript as HTMLScriptElement;
  const onload = new URL(src).searchParams.get('onload') ?? 'gapi_onload';
  (Reflect.get(globalThis, onload) as (() => void) | undefined)?.();
}
