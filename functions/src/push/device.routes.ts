import * as z from 'zod';
import { sessionIdOf } from '../auth/credentials.ts';
import { empty, json } from '../http/answer.ts';
import { route, type Route } from '../http/route.ts';
import { DEVICE_ID, registerDevice, removeDevice } from './device.service.ts';

const tag = 'Account';

const registerDeviceRoute = route({
  id: 'registerDevice',
  method: 'post',
  path: '/api/auth/devices',
  tag,
  summary: 'Register a device for push messages',
  description:
    'Registers the token of Firebase Cloud Messaging of this device for the caller. Repeat it at each start of the app. A session by cookie ends with its devices.',
  body: z.strictObject({
    token: z.string().regex(/^[\x21-\x7e]{1,4000}$/, 'is not a token of Firebase Cloud Messaging'),
  }),
  answers: {
    200: json('The device is registered.', z.strictObject({ id: z.string() }).meta({ id: 'Device' })),
  },
  refusals: ['not_found'],
  handler: async ({ backend, caller, body: { token }, request }) => {
    const id = await registerDevice(backend, caller, { token, sessionId: sessionIdOf(request) });
    return { status: 200, body: { id } };
  },
});

const removeDeviceRoute = route({
  id: 'removeDevice',
  method: 'delete',
  path: '/api/auth/devices/{id}',
  tag,
  summary: 'Remove a device',
  description:
    'Ends push messages to a device of the caller. Call it before signing out with the Firebase SDK.',
  params: z.strictObject({ id: z.string().regex(DEVICE_ID, 'is not the id of a device') }),
  answers: { 204: empty('The device is removed, or belongs to another user.') },
  handler: async ({ backend, caller, params: { id } }) => {
    await removeDevice(backend, caller, id);
    return { status: 204 };
  },
});

export const deviceRoutes: readonly Route[] = [registerDeviceRoute, removeDeviceRoute];
