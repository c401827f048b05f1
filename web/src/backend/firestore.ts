import { connectFirestoreEmulator, getFirestore, type Firestore } from 'firebase/firestore';
import { startFirebase } from './firebase.ts';
import { shared } from './shared.ts';

const firestore = shared(setUp);

/** Firestore as the signed-in user may read it, see firestore.rules. */
export function startFirestore(): Promise<Firestore> {
  return firestore.get();
}

async function setUp(): Promise<Firestore> {
  const { app, emulators } = await startFirebase();
  const firestore = getFirestore(app);
  if (emulators.firestore !== undefined) {
    const { hostname, port } = new URL(`http://${emulators.firestore}`);
    connectFirestoreEmulator(firestore, hostname, Number(port));
  }
  return firestore;
}
