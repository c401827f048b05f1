import { Router, type Request } from 'express';
import type { Config } from '../config.ts';
import { callerOf } from '../http/caller.ts';
import type { Services } from '../services.ts';
import { receiveFile } from './multipart.ts';
import { upload } from './upload.service.ts';

/** Owner of files whose sender is not signed in, where the configuration allows them; no uid has this form. */
const ANONYMOUS = '_anonymous';

/** Mounted at /api/upload, in an authenticated group unless uploads are open to everyone. */
export function uploadRoutes(config: Config, services: Services): Router {
  const router = Router();

  router.post('/', async (request: Request & { rawBody?: Buffer }, response) => {
    const ownerId = config.uploadRequiresAuth ? callerOf(response).uid : ANONYMOUS;
    const file = await receiveFile(request.headers, request.rawBody, config.uploadMaxBytes);
    const { view, discard } = await upload(services, ownerId, file);
    // A sender who is gone never learns the URL: the object would lie there for nobody.
    if (request.socket.destroyed) await discard();
    else response.json(view);
  });

  return router;
}
