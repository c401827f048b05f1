import type { Transaction } from 'firebase-admin/firestore';
import { loadConfig } from '../../settings/config.ts';
import { freePlan } from '../../settings/plans.ts';
import type { Backend } from '../../backend.ts';
import { TEST_SETTINGS } from '../../testing/settings.ts';
import type { UploadDocument } from '../upload.store.ts';
import { upload } from '../upload.service.ts';
import { samples } from './samples.ts';

/** Prints where the first upload of a new process is stored. Nothing is stored. */
const config = loadConfig(TEST_SETTINGS);
const ref = { withConverter: () => ({ doc: () => ref }) };
const transaction = {
  get: () => Promise.resolve({ data: () => undefined }),
  set: () => undefined,
  create: (_ref: unknown, { path }: UploadDocument) => {
    process.stdout.write(`${path}\n`);
    throw new Error('Only the path is wanted.');
  },
} as unknown as Transaction;
const firestore = {
  doc: () => ref,
  collection: () => ref,
  runTransaction: (run: (within: Transaction) => Promise<unknown>) => run(transaction),
};
const backend = {
  config,
  firestore: () => Promise.resolve(firestore),
  now: () => new Date(1_700_000_000_000),
} as unknown as Backend;
const owner = { id: 'uid', createdBy: 'uid', planIn: () => Promise.resolve(freePlan(config.plans)) };
const file = { name: 'a.png', bytes: samples.png, declaredType: '' };
await upload(backend, owner, file, 'public').catch(() => undefined);
