import { reasonOf } from './aborting.ts';
import { refusal, unreachable } from './error.ts';
import { pageQuery } from './pages.ts';
import type { Transport } from './transport.ts';
import type { Abortable, Page, PageOptions, StoredFile, Upload, Visibility } from './types.ts';

export interface UploadOptions {
  /** Called with the number of bytes that are sent of the file and its form. */
  onProgress?: ((sent: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** The team to which the file belongs; the caller by default. */
  team?: string | undefined;
  /** `private` forbids caches to keep the file; `public` by default. */
  visibility?: Visibility | undefined;
}

const PATH = '/api/upload';

/** Files that are sent through the backend, which validates them before it stores them. */
export class UploadsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Stores a file and returns its public URL.
   *
   * @throws HearthError 413 too large, 415 a kind that is not accepted
   */
  async send(file: File, { onProgress, signal, team, visibility }: UploadOptions = {}): Promise<StoredFile> {
    const form = new FormData();
    // Older versions of React Native have no `set`.
    form.append('file', file);
    // Node has no such interface, and no progress bar.
    if (typeof XMLHttpRequest === 'undefined') {
      return (await this.#transport.sendForm(PATH, { team, visibility }, form, signal)) as StoredFile;
    }
    const headers = { Accept: 'application/json', ...(await this.#transport.credentials(signal)) };
    const request = new XMLHttpRequest();
    request.open('POST', this.#transport.url(PATH, { team, visibility }));
    request.responseType = 'json';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total));
    return send(request, form, signal);
  }

  /** The stored uploads of the caller or of a team, newest first. */
  async list({ team, ...options }: PageOptions & { team?: string } = {}): Promise<Page<Upload>> {
    const { uploads, nextCursor } = await this.#transport.request('get', '/api/uploads', {
      query: { team, ...pageQuery(options) },
      signal: options.signal,
    });
    return { items: uploads, nextCursor };
  }

  get(id: string, options: Abortable = {}): Promise<Upload> {
    return this.#transport.request('get', '/api/uploads/{id}', { ...options, path: { id } });
  }

  async delete(id: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', '/api/uploads/{id}', { ...options, path: { id } });
  }

  /** Replaces the URLs of a file. The previous URLs end. */
  revoke(id: string, options: Abortable = {}): Promise<Upload> {
    return this.#transport.request('post', '/api/uploads/{id}/revoke', { ...options, path: { id } });
  }
}

/** `fetch` does not report its progress. This older interface does. */
function send(request: XMLHttpRequest, form: FormData, signal: AbortSignal | undefined): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const { status } = request;
      const answer: unknown = request.response;
      // The answer is null if it is no JSON, such as a page of a proxy.
      if (status === 200 && answer !== null) resolve(answer as StoredFile);
      else reject(refusal(status, (name) => request.getResponseHeader(name), answer));
    });
    // React Native dispatches `timeout` in place of `error` if the phone gives up waiting.
    for (const event of ['error', 'timeout']) {
      request.addEventListener(event, () => {
        reject(unreachable(undefined));
      });
    }
    request.addEventListener('abort', () => {
      reject(reasonOf(signal));
    });
    signal?.addEventListener('abort', () => {
      request.abort();
    });
    request.send(form);
  });
}
