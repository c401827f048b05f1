import type { Transport } from './transport.ts';
import type { Abortable } from './types.ts';

/** The devices of the signed-in user that get push messages. */
export class DevicesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Registers this device, after each sign-in and at each start of the app. Idempotent.
   *
   * @param token from `getToken()` of the Firebase SDK
   * @returns the id to remove it
   * @throws HearthError 404 `not_found` if the backend sends no push messages
   */
  async register(token: string, options: Abortable = {}): Promise<string> {
    const { id } = await this.#transport.request('post', '/api/auth/devices', {
      ...options,
      body: { token },
    });
    return id;
  }

  /** Ends push messages to a device. An app with ID tokens calls it before it signs out. Idempotent. */
  async remove(id: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', '/api/auth/devices/{id}', { ...options, path: { id } });
  }
}
