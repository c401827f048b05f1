import { getApps, initializeApp } from 'firebase-admin/app';
import { getAuth, type Auth } from 'firebase-admin/auth';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { inject } from 'vitest';

/** Points the Admin SDK of this process at the running stack, unless a test has pointed it elsewhere. */
export function useStack(): void {
  const { env, projectId } = inject('stack');
  const wanted: Record<string, string> = {
    ...env,
    // Without this the SDK looks for credentials at an address that only Google's machines have.
    METADATA_SERVER_DETECTION: 'none',
    FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket: `${projectId}.firebasestorage.app` }),
  };
  for (const [name, value] of Object.entries(wanted)) process.env[name] ??= value;
}

export function adminAuth(): Auth {
  useStack();
  return getAuth(getApps()[0] ?? initializeApp());
}

export function adminFirestore(): Firestore {
  useStack();
  return getFirestore(getApps()[0] ?? initializeApp());
}
