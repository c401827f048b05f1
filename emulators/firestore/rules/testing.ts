/** Shared by the tests: a server with security rules, and clients of the official SDKs. */
import { initializeTestEnvironment } from '@firebase/rules-unit-testing';
import type { RulesTestEnvironment, TokenOptions } from '@firebase/rules-unit-testing';
import { firestoreRules } from '@hearth/security-rules/testing';
import type { Firestore } from 'firebase/firestore';
import { onTestFinished } from 'vitest';
import type { FirestoreServerOptions } from '../server.ts';
import { PROJECT, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';

export interface RulesServer extends TestServer {
  readonly environment: RulesTestEnvironment;
  /** A client of the user with the `uid`; without one, nobody is signed in. */
  readonly client: (uid?: string, claims?: TokenOptions) => Firestore;
}

/** A server with a ruleset that has these statements below the database's documents. */
export async function serveRules(
  statements: string,
  options: FirestoreServerOptions = {},
): Promise<RulesServer> {
  const served = await serveForTest({ rules: firestoreRules(statements), ...options });
  const environment = await environmentOf(served);
  return {
    ...served,
    environment,
    client: (uid, claims) => {
      const context =
        uid === undefined
          ? environment.unauthenticatedContext()
          : environment.authenticatedContext(uid, claims);
      // Its types are those of the compatibility API, of which the modular functions take the objects as well.
      return context.firestore() as unknown as Firestore;
    },
  };
}

/** `rules` are loaded for the project before the environment is there. */
export async function environmentOf(
  { server }: TestServer,
  { projectId = PROJECT, rules }: { projectId?: string; rules?: string } = {},
): Promise<RulesTestEnvironment> {
  const { host, port } = server;
  const environment = await initializeTestEnvironment({
    projectId,
    firestore: { host, port, ...(rules !== undefined && { rules }) },
  });
  onTestFinished(() => environment.cleanup());
  return environment;
}
