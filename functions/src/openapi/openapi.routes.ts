import type { Router } from 'express';
import { createRouter } from '../http/router.ts';
import type { Config } from '../settings/config.ts';
import { lazy } from '../common/lazy.ts';

/** The description of all routes, mounted at /api/openapi.json; it is made when it is first asked for. */
export function openApiRoutes(config: Config): Router {
  const document = lazy(async () => (await import('./document.ts')).openApiDocument(config));
  return createRouter().get('/', async (_request, response) => {
    response.json(await document());
  });
}
