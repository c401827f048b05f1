import type { RequestListener } from 'node:http';
import { allowCrossOrigin } from './cors.ts';

/** What the HTTP/1.1 side of the port serves. */
export interface HttpHandlers {
  /** `/v1/…` */
  readonly rest: RequestListener;
  /** `/google.firestore.v1.Firestore/…/channel` */
  readonly webChannel: RequestListener;
  /** Everything else: the endpoints by which the Firebase CLI runs the emulator. */
  readonly control: RequestListener;
}

export function createHttpHandler({ rest, webChannel, control }: HttpHandlers): RequestListener {
  return (request, response) => {
    const path = request.url ?? '/';
    const forClients = path.startsWith('/v1/') || path.startsWith('/google.firestore.v1.Firestore/');
    if (!forClients) control(request, response);
    else if (!allowCrossOrigin(request, response)) {
      (path.startsWith('/v1/') ? rest : webChannel)(request, response);
    }
  };
}
