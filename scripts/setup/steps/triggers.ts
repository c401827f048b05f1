import deployedFunctions from '../../deployed-functions.json' with { type: 'json' };
import { unlessMissing } from '../google.ts';
import type { Step } from '../step.ts';
import { deployOnly } from './deploy-only.ts';
import { listFunctions } from './functions.ts';
import { FIRESTORE } from './places.ts';

/** The functions that Firestore calls when a document is written. */
export const FIRESTORE_FUNCTIONS: readonly string[] = Object.entries(deployedFunctions).flatMap(
  ([name, { trigger }]) => (trigger.startsWith('google.cloud.firestore.document.') ? [name] : []),
);

/**
 * Each trigger of Firestore is younger than the database. Restoring a deleted database keeps its name. But the old
 * triggers deliver no event of it: https://cloud.google.com/firestore/docs/eventarc (limitations). A deployment keeps
 * a trigger that exists, so the functions must be deleted first.
 */
export const firestoreTriggersStep: Step = {
  title: 'Triggers of Firestore',
  check: async (target) => {
    const { google, projectId, region } = target;
    const database = `${FIRESTORE}/projects/${projectId}/databases/(default)`;
    const { createTime } = (await unlessMissing(google.get<{ createTime?: string }>(database))) ?? {};
    if (createTime === undefined) return [];
    const functions = await listFunctions(target);
    const older = FIRESTORE_FUNCTIONS.filter((name) => isBefore(functions.get(name)?.createTime, createTime));
    if (older.length === 0) return [];
    const names = older.join(' ');
    const command = `npx firebase functions:delete ${names} --region ${region} --force --project ${projectId}`;
    return [
      {
        text: `These functions are older than the database and get no events of it: ${older.join(', ')}.`,
        advice: `Run ${command}. ${deployOnly('functions', projectId)} after that.`,
      },
    ];
  },
};

function isBefore(time: string | undefined, other: string): boolean {
  return time !== undefined && Date.parse(time) < Date.parse(other);
}
