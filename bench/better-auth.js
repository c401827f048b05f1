/**
 * better-auth with its organization plugin on SQLite in memory, or on PostgreSQL: `better-auth.js [host:port]`. `POST /bench` makes users with a session each and, for the
 * first of them, an organization with members. JavaScript, because its package is installed apart (bench/package.json).
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { organization } from 'better-auth/plugins';
import pg from 'pg';

const secret = randomUUID();
const MANY = 1_000_000;
const [address] = process.argv.slice(2);

const auth = betterAuth({
  baseURL: 'http://localhost:3000',
  secret,
  // PGlite runs one statement at a time, and mixes up the transactions of several connections.
  database:
    address === undefined
      ? new DatabaseSync(':memory:')
      : new pg.Pool({ connectionString: `postgres://postgres@${address}/postgres`, ssl: false, max: 1 }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  plugins: [
    organization({
      membershipLimit: MANY,
      invitationLimit: MANY,
      sendInvitationEmail: () => Promise.resolve(),
    }),
  ],
});
await (await getMigrations(auth.options)).runMigrations();
const { adapter, internalAdapter } = await auth.$context;

/** A user with a verified address, and the cookie of a session. */
async function createUser(name) {
  const email = `${name}@example.com`;
  const user = await internalAdapter.createUser({ name, email, emailVerified: true });
  const { token } = await internalAdapter.createSession(user.id);
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  const cookie = `better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  return { id: user.id, email, cookie };
}

async function seed({ users, members }) {
  const created = [];
  for (let n = 0; n < Math.max(users, members); n++) created.push(await createUser(`user-${n}`));
  const createdAt = new Date();
  const { id } = await adapter.create({
    model: 'organization',
    data: { name: 'Acme', slug: 'acme', createdAt },
  });
  for (const [n, { id: userId }] of created.slice(0, members).entries()) {
    const role = n === 0 ? 'owner' : 'member';
    await adapter.create({ model: 'member', data: { organizationId: id, userId, role, createdAt } });
  }
  return { organizationId: id, users: created };
}

const handler = toNodeHandler(auth);
const server = createServer((request, response) => {
  if (request.url !== '/bench') void handler(request, response);
  else
    void json(request)
      .then(seed)
      .then((seeded) => response.end(JSON.stringify(seeded)))
      .catch((error) => response.writeHead(500).end(String(error)));
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on 127.0.0.1:${server.address().port}`);
});
