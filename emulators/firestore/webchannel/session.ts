import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Requests } from '../rpc/context.ts';
import { frame } from './encoding.ts';

/** Announced in the handshake. The client drops a back channel that is silent for one and a half times this time. */
export const KEEPALIVE_MS = 30_000;
const EXPIRY_MS = 60_000;
/**
 * The length at which a response ends although its stream continues. The request for the next response confirms the
 * arrays received.
 */
const MAX_RESPONSE_LENGTH = 1_000_000;
/** Number of the handshake's own array. */
const HANDSHAKE_ID = 0;

/** The response on which the server sends. */
interface BackChannel {
  readonly response: ServerResponse;
  /** False for long polling: the response ends after the first array. */
  readonly streaming: boolean;
  sent: number;
}

interface OutgoingArray {
  readonly id: number;
  readonly text: string;
}

/**
 * One WebChannel: a stream of messages in both directions over short requests. Messages to the client are numbered and
 * kept until it confirms them; messages from the client are numbered too, so that a repeated request changes nothing.
 */
export class Session {
  readonly id = randomUUID();
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  readonly #early = new Map<number, unknown>();
  #requests: Requests<unknown> | undefined;
  #nextMessage = 0;
  #lastArray = HANDSHAKE_ID;
  #unconfirmed: OutgoingArray[] = [];
  #backChannel: BackChannel | undefined;
  #sentUpTo = HANDSHAKE_ID;
  #flushing = false;
  #closed = false;
  #stopTimer: () => void;

  /** `onEnd` is called once, when the session ends. */
  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#stopTimer = clock.schedule(EXPIRY_MS, () => {
      this.end();
    });
  }

  /** Connects the stream that gets the messages of the client. */
  connect(requests: Requests<unknown>): void {
    this.#requests = requests;
  }

  /** Passes on messages in their order, each once. */
  receive(firstId: number, messages: readonly unknown[]): void {
    for (const [index, message] of messages.entries()) {
      if (firstId + index >= this.#nextMessage) this.#early.set(firstId + index, message);
    }
    while (this.#early.has(this.#nextMessage)) {
      const message = this.#early.get(this.#nextMessage);
      this.#early.delete(this.#nextMessage++);
      this.#requests?.receive(message);
    }
  }

  /** Sends an array of JSON. Arrays of one turn are sent together. */
  send(array: readonly unknown[]): void {
    this.#unconfirmed.push({ id: ++this.#lastArray, text: JSON.stringify(array) });
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  /** Sends the last array. The response that delivers it ends, and clients wait for that. */
  close(): void {
    this.#closed = true;
    this.send(['close']);
  }

  /** The client has received all arrays up to this one. */
  confirm(id: number): void {
    this.#unconfirmed = this.#unconfirmed.filter((array) => array.id > id);
  }

  /**
   * Sends on this response from now on, starting with the unconfirmed arrays. Every `holdMs` it sends at least a
   * `noop`.
   */
  attach(response: ServerResponse, streaming: boolean, holdMs: number): void {
    this.#backChannel?.response.end();
    if (this.#closed && this.#unconfirmed.length === 0) {
      response.end();
      this.end();
      return;
    }
    this.#backChannel = { response, streaming, sent: 0 };
    this.#sentUpTo = HANDSHAKE_ID;
    response.on('close', () => {
      if (this.#backChannel?.response === response) this.#detach();
    });
    this.#keepAlive(holdMs);
    // A client that gets no data immediately assumes that a proxy buffers responses.
    if (streaming && this.#unconfirmed.length === 0) this.send(['noop']);
    this.#flush();
  }

  /** The answer to a forward request: whether there is a back channel, and how much it has still to deliver. */
  summary(): readonly [hasBackChannel: 0 | 1, lastArray: number, bytes: number] {
    const bytes = this.#unconfirmed.reduce((sum, { text }) => sum + text.length, 0);
    return [this.#backChannel ? 1 : 0, this.#lastArray, bytes];
  }

  /** Ends the stream and forgets the session. */
  end(): void {
    this.#stopTimer();
    this.#requests?.cancel();
    const channel = this.#backChannel;
    this.#backChannel = undefined;
    channel?.response.end();
    this.#onEnd();
  }

  #flush(): void {
    const channel = this.#backChannel;
    const arrays = this.#unconfirmed.filter(({ id }) => id > this.#sentUpTo);
    if (!channel || arrays.length === 0) return;
    const text = frame(`[${arrays.map(({ id, text: array }) => `[${id},${array}]`).join(',')}]`);
    channel.response.write(text);
    channel.sent += text.length;
    this.#sentUpTo = this.#lastArray;
    if (channel.streaming && !this.#closed && channel.sent < MAX_RESPONSE_LENGTH) return;
    this.#detach();
    channel.response.end();
  }

  #keepAlive(milliseconds: number): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.schedule(milliseconds, () => {
      this.#keepAlive(milliseconds);
      this.send(['noop']);
    });
  }

  #detach(): void {
    this.#backChannel = undefined;
    this.#stopTimer();
    this.#stopTimer = this.#clock.schedule(EXPIRY_MS, () => {
      this.end();
    });
  }
}
