import * as z from 'zod';
import { json, type Operation } from './operation.ts';

/** The routes of the service itself. */
export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'getHealth',
    method: 'get',
    path: '/api/health',
    summary: 'Tells that the backend answers.',
    access: 'public',
    answers: { 200: json('It does.', z.strictObject({ status: z.literal('ok') })) },
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document.',
    access: 'public',
    answers: { 200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })) },
  },
];
