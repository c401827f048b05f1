import type { RequestListener } from 'node:http';
import { allowCrossOrigin } from './cors.ts';

/** The handlers of the HTTP/1.1 side of the port. */
export interface HttpHandlers {
  /** `/v1/…` */
  readonly rest: RequestListener;
  /** `/google.firestore.v1.Firestore/…/channel` */
  readonly webChannel: RequestListener;
  /** Everything else: the endpoints of the Firebase CLI and the Emulator UI. */
  readonly control: RequestListener;
}

export function createHttpHandler({ rest, webChannel, control }: HttpHandlers): RequestListener {
  return (request, response) => {
    if (allowCrossOrigin(request, response)) return;
    const path = request.url ?? '/';
    if (path.startsWith('/v1/')) rest(request, response);
    else if (path.startsWith('/google.firestore.v1.Firestore/')) webChannel(request, response);
    else control(request, response);
  };
}
