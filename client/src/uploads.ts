import { refusal, unreachable } from './error.ts';
import type { Transport } from './transport.ts';
import type { StoredFile } from './types.ts';

export interface UploadOptions {
  /** Called with what is sent of the file and its form, in bytes. */
  onProgress?: ((sent: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const PATH = '/api/upload';

/** Files that go through the backend, which judges them before it stores them. */
export class UploadsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Stores a file and tells its public URL.
   *
   * @throws HearthError 413 too large, 415 a kind that is not accepted
   */
  async send(file: File, { onProgress, signal }: UploadOptions = {}): Promise<StoredFile> {
    signal?.throwIfAborted();
    const form = new FormData();
    form.set('file', file);
    // Node has no such interface: there nobody watches a progress bar.
    if (typeof XMLHttpRequest === 'undefined') {
      return (await this.#transport.sendForm(PATH, form, signal)) as StoredFile;
    }
    const headers = { Accept: 'application/json', ...(await this.#transport.credentials()) };
    const request = new XMLHttpRequest();
    request.open('POST', this.#transport.url(PATH));
    request.responseType = 'json';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total));
    return send(request, form, signal);
  }
}

/** `fetch` does not tell how much it has sent; this older interface does. */
function send(request: XMLHttpRequest, form: FormData, signal: AbortSignal | undefined): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const { status } = request;
      if (status === 200) resolve(request.response as StoredFile);
      else reject(refusal(status, (name) => request.getResponseHeader(name), request.response));
    });
    request.addEventListener('error', () => {
      reject(unreachable(undefined));
    });
    request.addEventListener('abort', () => {
      reject(signal?.reason as Error);
    });
    signal?.addEventListener('abort', () => {
      request.abort();
    });
    request.send(form);
  });
}
