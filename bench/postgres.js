/**
 * PostgreSQL in memory (PGlite) behind a socket, as a database of its own process. JavaScript, because its packages are
 * installed apart (bench/package.json).
 */
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const server = new PGLiteSocketServer({ db: await PGlite.create(), port: 0 });
await server.start();
console.log(`Listening on ${server.getServerConn()}`);
