import { expect, it } from 'vitest';
import firebaseJson from '../../firebase.json' with { type: 'json' };
import { ROUTES } from './routes.tsx';

it('has a Hosting rewrite for every page and for no other path', () => {
  const rewritten = firebaseJson.hosting.rewrites
    .filter((rewrite) => rewrite.destination === '/index.html')
    .map((rewrite) => rewrite.source);
  // Hosting serves index.html at / by itself.
  expect(new Set([...rewritten, '/'])).toEqual(new Set(Object.keys(ROUTES)));
});
