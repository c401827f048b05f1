/**
 * The least that a session and an accepted invitation need: `node:http` and the Firestore client, with the reads and
 * the transaction of Hearth. No token, no check, no rate limit, no validation. `GET /api/health` answers `{}`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore, type DocumentData } from 'firebase-admin/firestore';

const firestore = getFirestore(initializeApp());

/** @param asked `uid`, the `session` of the user and the `team` that is expected */
async function session({ uid = '', session: id = '', team = '' }: Record<string, string>): Promise<object> {
  const [open, members, subscriptions, teams] = await Promise.all([
    firestore.doc(`users/${uid}/sessions/${id}`).get(),
    firestore.collectionGroup('members').where('uid', '==', uid).get(),
    firestore
      .collection(`customers/${uid}/subscriptions`)
      .where('status', 'in', ['active', 'trialing', 'past_due', 'comped'])
      .get(),
    firestore.getAll(firestore.doc(`teams/${team}`)),
  ]);
  const names = teams.map((found) => found.get('name') as string);
  return { open: open.exists, members: members.size, subscriptions: subscriptions.size, names };
}

/** @param asked `uid` and `email` of the recipient, `id` of the invitation */
async function accept({ uid = '', id = '' }: Record<string, string>): Promise<object> {
  return firestore.runTransaction(async (tx) => {
    const ref = firestore.doc(`invitations/${id}`);
    const invitation = (await tx.get(ref)).data() as DocumentData & { teamId: string; invitedBy: string };
    const { teamId, invitedBy, email, role } = invitation;
    const members = firestore.collection(`teams/${teamId}/members`);
    await Promise.all([tx.get(firestore.doc(`teams/${teamId}`)), tx.get(members.doc(invitedBy))]);
    const open = firestore
      .collection('invitations')
      .where('teamId', '==', teamId)
      .where('status', '==', 'pending')
      .where('expiresAt', '>', new Date());
    await firestore.runTransaction(
      (snapshot) => Promise.all([snapshot.get(members.count()), snapshot.get(open.count())]),
      { readOnly: true },
    );
    const now = new Date();
    tx.create(members.doc(uid), {
      uid,
      role: role as string,
      email: email as string,
      displayName: null,
      joinedAt: now,
    });
    tx.update(ref, { status: 'accepted', respondedAt: now });
    tx.create(firestore.collection('auditLog').doc(), {
      ...{ teamId, actorId: uid, action: 'invitation.accepted', target: id, at: now },
      ...{ details: { email: email as string, role: role as string }, deleteAt: now },
    });
    return { teamId };
  });
}

const ROUTES: Readonly<Record<string, (asked: Record<string, string>) => Promise<object>>> = {
  '/session': session,
  '/accept': accept,
  '/api/health': () => Promise.resolve({}),
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  ROUTES[pathname]?.(Object.fromEntries(searchParams)).then(
    (answer) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on 127.0.0.1:${(server.address() as AddressInfo).port}`);
});
