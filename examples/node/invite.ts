/**
 * Creates a team and invites people to it.
 *
 *   npx node --conditions=@hearth/source invite.ts Acme ada@example.com bob@example.com
 *
 * README.md has the variables that it reads.
 */
import { createHearthClient, HearthError } from '@hearth/client';
import { initializeApp, type FirebaseOptions } from 'firebase/app';
import { connectAuthEmulator, getAuth, signInWithEmailAndPassword } from 'firebase/auth';

const { env } = process;
const [name = 'My team', ...addresses] = process.argv.slice(2);

const auth = getAuth(initializeApp(JSON.parse(env['FIREBASE_CONFIG'] ?? '{}') as FirebaseOptions));
if (env['AUTH_EMULATOR'] !== undefined)
  connectAuthEmulator(auth, env['AUTH_EMULATOR'], { disableWarnings: true });

const hearth = createHearthClient({
  baseUrl: env['HEARTH_URL'] ?? 'http://localhost:5000',
  idToken: async () => auth.currentUser?.getIdToken(),
});

try {
  await signInWithEmailAndPassword(auth, env['HEARTH_EMAIL'] ?? '', env['HEARTH_PASSWORD'] ?? '');
  const team = await hearth.teams.create({ name });
  const invitations = addresses.map((email) => ({ email, role: 'member' as const }));
  const results = await hearth.invitations.sendAll(team.id, invitations);
  for (const [index, { status }] of results.entries()) {
    console.log(`${addresses[index] ?? ''}: ${status === 201 ? 'invited' : `refused (${status})`}`);
  }
} catch (error) {
  // Messages of refusals are for people; `code` is for programs.
  console.error(error instanceof HearthError ? `${error.code}: ${error.message}` : error);
  process.exitCode = 1;
}
