import { signal } from '@preact/signals';
import type { UploadOptions } from '@hearth/client';
import type { DirectUpload, DirectUploadState } from '@hearth/client/storage';
import { messageOf } from '../errors.ts';
import type { Subject } from '../team/subjects.ts';

/** A file on its way. */
export interface Sending {
  id: number;
  name: string;
  /** The user or team that the file is for. */
  owner: Subject;
  /** 0 to 1. */
  sent: number;
  /** `checking`: it has arrived, and the backend validates it. */
  status: 'waiting' | 'running' | 'paused' | 'checking' | 'failed';
  /** Only a file that goes straight to Storage can be paused. */
  canPause: boolean;
  /** Why it did not arrive. */
  problem: string | undefined;
}

export interface SendingOptions extends UploadOptions {
  onStart: (upload: DirectUpload) => void;
  onState: (state: DirectUploadState) => void;
}

export type Send = (file: File, options: SendingOptions) => Promise<unknown>;

/** Starts and ends the sending of a file, and pauses a direct upload. */
interface Controls {
  begin: () => void;
  end: AbortController;
  upload?: DirectUpload;
}

/** How many files are sent at the same time; more are no faster, and each takes memory here and there. */
const AT_ONCE = 3;

/**
 * Files on their way, whatever page is shown. One that has arrived is gone from here, for it is in the list of what is
 * stored.
 */
export class UploadQueue {
  readonly #send: Send;
  readonly #controls = new Map<number, Controls>();
  readonly #sending = signal<readonly Sending[]>([]);
  #lastId = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  /** In the order in which they were added. A component that reads it renders each change. */
  get sending(): readonly Sending[] {
    return this.#sending.value;
  }

  /** Whether something would be lost with the page. */
  get isBusy(): boolean {
    return this.sending.some(({ status }) => status !== 'failed');
  }

  add(file: File, owner: Subject): void {
    const id = ++this.#lastId;
    const controls: Controls = {
      end: new AbortController(),
      begin: () => {
        void this.#run(id, file, owner, controls);
      },
    };
    this.#controls.set(id, controls);
    const { name } = file;
    const added: Sending = {
      id,
      name,
      owner,
      sent: 0,
      status: 'waiting',
      canPause: false,
      problem: undefined,
    };
    this.#update([...this.#sending.peek(), added]);
  }

  /** Pauses what is sent, and resumes what is paused. */
  toggle(id: number): void {
    const upload = this.#controls.get(id)?.upload;
    if (upload?.state === 'paused') upload.resume();
    else upload?.pause();
  }

  /** Ends it, or forgets it where it has failed. */
  dismiss(id: number): void {
    this.#controls.get(id)?.end.abort();
    this.#controls.delete(id);
    this.#update(this.#sending.peek().filter((one) => one.id !== id));
  }

  async #run(id: number, file: File, owner: Subject, controls: Controls): Promise<void> {
    const change = (changed: Partial<Sending>) => {
      this.#update(this.#sending.peek().map((one) => (one.id === id ? { ...one, ...changed } : one)));
    };
    try {
      await this.#send(file, {
        team: owner.team,
        signal: controls.end.signal,
        onProgress: (sent, total) => {
          change({ sent: total === 0 ? 0 : sent / total });
        },
        onStart: (upload) => {
          controls.upload = upload;
          change({ canPause: true });
        },
        onState: (state) => {
          if (state === 'running' || state === 'paused') change({ status: state });
          if (state === 'sent') change({ status: 'checking' });
        },
      });
      this.dismiss(id);
    } catch (error) {
      change({ status: 'failed', problem: messageOf(error) });
    }
  }

  /** Begins what has its turn: what is paused holds nobody up. */
  #update(sending: readonly Sending[]): void {
    const running = sending.filter(({ status }) => status === 'running' || status === 'checking').length;
    const next = sending
      .filter(({ status }) => status === 'waiting')
      .slice(0, Math.max(0, AT_ONCE - running));
    this.#sending.value = sending.map((one) => (next.includes(one) ? { ...one, status: 'running' } : one));
    for (const { id } of next) this.#controls.get(id)?.begin();
  }
}

/**
 * The text that a screen reader speaks about the uploads: how many there are, and which have failed. It leaves out the
 * progress, which would be spoken at every change.
 */
export function announcementOf(sending: readonly Pick<Sending, 'name' | 'status' | 'problem'>[]): string {
  const failures = sending.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [`${name} failed: ${problem}`],
  );
  const running = sending.length - failures.length;
  return [...(running === 0 ? [] : [`${filesOf(running)} being sent.`]), ...failures].join(' ');
}

const filesOf = (count: number) => (count === 1 ? 'One file is' : `${count} files are`);
