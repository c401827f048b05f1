import { expect, test, vi } from 'vitest';
import { authorizationFor } from './collector.ts';

test.each([
  'https://telemetry.googleapis.com/v1/traces',
  'https://telemetry.us-central1.rep.googleapis.com/v1/traces',
])('%s gets an access token', async (url) => {
  const authorize = authorizationFor(url, () => Promise.resolve('token'));
  expect(await authorize?.()).toEqual({ Authorization: 'Bearer token' });
});

test.each([
  'https://collector.example.com/v1/traces',
  'http://telemetry.googleapis.com/v1/traces',
  'https://telemetry.googleapis.com.example.com/v1/traces',
  'https://telemetry.example.com/googleapis.com',
  'https://eviltelemetry.googleapis.com.example.com',
])('%s never gets an access token', (url) => {
  const getAccessToken = vi.fn();
  expect(authorizationFor(url, getAccessToken)).toBeUndefined();
  expect(getAccessToken).not.toHaveBeenCalled();
});

test('without credentials there is no header, and the collector refuses the export', async () => {
  const url = 'https://telemetry.googleapis.com/v1/traces';
  const authorize = authorizationFor(url, () => Promise.reject(new Error('no credentials')));
  expect(await authorize?.()).toEqual({});
});
