import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { limitGarbage } from './memory.ts';

/** Flags of the official emulator; the CLI passes them with underscores and hyphens as written here. */
const OPTIONS = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '8080' },
  rules: { type: 'string' },
  project_id: { type: 'string' },
  single_project_mode: { type: 'string' },
  functions_emulator: { type: 'string' },
  websocket_port: { type: 'string' },
  'database-edition': { type: 'string', default: 'standard' },
  seed_from_export: { type: 'string' },
  // Flags that only this emulator has: a firestore.indexes.json, and times in milliseconds. The default times are
  // production's.
  indexes: { type: 'string' },
  lock_timeout_ms: { type: 'string' },
  transaction_idle_ms: { type: 'string' },
} as const;

const DEFAULT_PROJECT = 'demo-project';

const { values, tokens } = parseArgs({
  options: OPTIONS,
  strict: false,
  tokens: true,
  allowPositionals: true,
});
for (const token of tokens) {
  if (token.kind === 'option' && !(token.name in OPTIONS))
    console.error(`Ignoring unknown flag ${token.rawName}.`);
}
if (values['database-edition'] !== 'standard') refuse('Only the standard database edition is emulated.');

try {
  limitGarbage();
  // Compiled code is kept from one start to the next, which halves the time of a start.
  enableCompileCache();
  const { startFirestoreServer } = await import('./server.ts');
  const { issueText } = await import('./rules/rulesets/issues.ts');
  const rules = typeof values.rules === 'string' ? readFileSync(values.rules, 'utf8') : undefined;
  const server = await startFirestoreServer({
    host: String(values.host),
    port: Number(values.port),
    ...(rules !== undefined && { rules }),
    ...(typeof values.functions_emulator === 'string' && { functionsEmulator: values.functions_emulator }),
    ...(typeof values.seed_from_export === 'string' && {
      seed: { project: String(values.project_id ?? DEFAULT_PROJECT), metadataFile: values.seed_from_export },
    }),
    ...(typeof values.indexes === 'string' && { indexes: values.indexes }),
    ...(typeof values.websocket_port === 'string' && { requestsPort: Number(values.websocket_port) }),
    timeouts: {
      ...(values.lock_timeout_ms !== undefined && { lock: Number(values.lock_timeout_ms) }),
      ...(values.transaction_idle_ms !== undefined && { idle: Number(values.transaction_idle_ms) }),
    },
  });
  for (const issue of server.rulesIssues) console.error(issueText(String(values.rules), issue));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  console.log(`Firestore emulator listening on ${server.host}:${server.port}`);
} catch (error) {
  const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  refuse(inUse ? `Port ${String(values.port)} is already in use.` : String(error));
}

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}
