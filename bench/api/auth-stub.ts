/**
 * Answers each look-up of a user immediately: Firebase Auth without latency. Every id is a user with a verified
 * address. A GET is answered with the number of look-ups so far.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const userOf = (uid: string) => {
  const email = `${uid}@example.com`;
  const providerUserInfo = [{ providerId: 'password', rawId: email, email }];
  return { localId: uid, email, emailVerified: true, validSince: '1', providerUserInfo };
};

let lookUps = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(lookUps));
    return;
  }
  lookUps += 1;
  void json(request).then((body) => {
    const { localId = [] } = body as { localId?: string[] };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ users: localId.map(userOf) }));
  });
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on 127.0.0.1:${(server.address() as AddressInfo).port}`);
});
