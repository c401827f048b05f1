import type { UploadOptions, Visibility } from '@hearth/client';
import type { DirectUpload, DirectUploadState } from '@hearth/client/storage';
import { signal } from '@preact/signals';
import { messageOf, UserFacingError } from '../errors.ts';
import type { Subject } from '../team/subjects.ts';
import { filesTexts } from './texts.ts';

/** A file that is being sent, or waits for that. */
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
  /** The reason why it could not be stored. */
  problem: string | undefined;
}

export interface SendingOptions extends UploadOptions {
  onStart: (upload: DirectUpload) => void;
  onState: (state: DirectUploadState) => void;
}

export type Send = (file: File, options: SendingOptions) => Promise<unknown>;

interface AddOptions {
  visibility?: Visibility | undefined;
  problem?: string | undefined;
}

/** Starts and ends the sending of a file, and pauses a direct upload. */
interface Controls {
  begin: () => void;
  end: AbortController;
  upload?: DirectUpload;
}

/**
 * The number of files that are sent at the same time. More are not faster, and each needs memory in the browser and the
 * backend.
 */
const AT_ONCE = 3;

/**
 * The longest wait for the check of a file that has arrived. The backend removes a file far over the rate limit without
 * a document, so no answer comes for it.
 */
export const CHECK_MS = 5 * 60_000;

/**
 * The files that are being sent, on every page. A stored file leaves this list, because it is in the list of stored
 * files.
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

  /** Whether closing the page would lose something. */
  get isBusy(): boolean {
    return this.sending.some(({ status }) => status !== 'failed');
  }

  /** @param problem the reason for which the file is not sent at all */
  add(file: File, owner: Subject, { visibility, problem }: AddOptions = {}): void {
    const id = ++this.#lastId;
    const controls: Controls = {
      end: new AbortController(),
      begin: () => {
        void this.#run(id, file, { team: owner.team, visibility }, controls);
      },
    };
    this.#controls.set(id, controls);
    const { name } = file;
    const added: Sending = {
      id,
      name,
      owner,
      sent: 0,
      status: problem === undefined ? 'waiting' : 'failed',
      canPause: false,
      problem,
    };
    this.#update([...this.#sending.peek(), added]);
  }

  /** Pauses an upload, or resumes a paused one. */
  toggle(id: number): void {
    const upload = this.#controls.get(id)?.upload;
    if (upload?.state === 'paused') upload.resume();
    else upload?.pause();
  }

  /** Ends an upload, or removes a failed one from the list. */
  dismiss(id: number): void {
    this.#controls.get(id)?.end.abort();
    this.#controls.delete(id);
    this.#update(this.#sending.peek().filter((one) => one.id !== id));
  }

  async #run(
    id: number,
    file: File,
    target: Pick<UploadOptions, 'team' | 'visibility'>,
    controls: Controls,
  ): Promise<void> {
    const change = (changed: Partial<Sending>) => {
      this.#update(this.#sending.peek().map((one) => (one.id === id ? { ...one, ...changed } : one)));
    };
    let check: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.#send(file, {
        ...target,
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
          if (state !== 'sent') return;
          change({ status: 'checking' });
          check = setTimeout(() => {
            controls.end.abort(new UserFacingError(filesTexts().problems.unchecked));
          }, CHECK_MS);
        },
      });
      this.dismiss(id);
    } catch (error) {
      change({ status: 'failed', problem: messageOf(error) });
    } finally {
      clearTimeout(check);
    }
  }

  /** Starts the next files. Paused ones do not count. */
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
 * The text that a screen reader announces about the uploads: their number, and the failed ones. It has no progress,
 * because each change would be announced.
 */
export function announcementOf(sending: readonly Pick<Sending, 'name' | 'status' | 'problem'>[]): string {
  const texts = filesTexts().announcement;
  const failures = sending.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [texts.failed(name, problem)],
  );
  const running = sending.length - failures.length;
  return [...(running === 0 ? [] : [texts.running(running)]), ...failures].join(' ');
}
