import * as z from 'zod';
import { lazy } from '../common/lazy.ts';
import { json } from '../http/answer.ts';
import { route, type Route } from '../http/route.ts';

const tag = 'Service';

const getHealthRoute = route({
  id: 'getHealth',
  method: 'get',
  path: '/api/health',
  tag,
  summary: 'Check the health',
  description: 'Succeeds while the backend can answer. Calls no other service.',
  access: 'public',
  appCheck: false,
  answers: { 200: json('The backend answers.', z.strictObject({ status: z.literal('ok') })) },
  handler: () => Promise.resolve({ status: 200 as const, body: { status: 'ok' as const } }),
});

/** The generator loads with the first request for the document, not with a cold start. */
const generator = lazy(() => import('./document.ts'));

const getOpenApiRoute = route({
  id: 'getOpenApi',
  method: 'get',
  path: '/api/openapi.json',
  tag,
  summary: 'Get the OpenAPI document',
  description: 'Returns this document.',
  access: 'public',
  appCheck: false,
  answers: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
  handler: async ({ backend, routes }) => {
    const { openApiDocument } = await generator();
    return { status: 200, body: openApiDocument(backend.config, routes) };
  },
});

export const serviceRoutes: readonly Route[] = [getHealthRoute, getOpenApiRoute];
