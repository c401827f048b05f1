import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../paths.ts';
import type { Finding, Step, Target } from '../step.ts';
import { deployOnly } from './deploy-only.ts';

interface IndexField {
  fieldPath: string;
  order?: string;
  arrayConfig?: string;
}

interface Index {
  queryScope: string;
  fields: IndexField[];
}

interface IndexesFile {
  indexes: (Index & { collectionGroup: string })[];
  fieldOverrides: {
    collectionGroup: string;
    fieldPath: string;
    ttl?: boolean;
    indexes: { queryScope: string; order?: string; arrayConfig?: string }[];
  }[];
}

/** https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases.collectionGroups.fields */
interface Field {
  name: string;
  ttlConfig?: { state: string };
  indexConfig?: { indexes?: (Index & { state: string })[] };
}

/** Each part of firestore.indexes.json in words, such as `The index "uploads …"`, with its state in the project. */
type States = Map<string, string>;

/** An index is READY, a TTL policy is ACTIVE. Others need to be deployed again. */
const KNOWN_STATES = ['READY', 'ACTIVE', 'CREATING'];

/** After a deployment it waits up to ten minutes for what Google is building. */
const BUILDING = { pauseMs: 30_000, mostPauses: 20 };

/** Composite indexes, indexes of single fields and TTL policies of firestore.indexes.json. */
export const indexesStep: Step = {
  title: 'Indexes and TTL policies',
  check: async (target) => {
    const wanted = wantedParts();
    for (let pauses = 0; ; pauses++) {
      const states = await deployedParts(target);
      const missing = wanted.filter((text) => !KNOWN_STATES.includes(states.get(text) ?? ''));
      const building = wanted.filter((text) => states.get(text) === 'CREATING');
      const isPatient = target.isAfterDeploy && missing.length === 0 && pauses < BUILDING.mostPauses;
      if (building.length === 0 || !isPatient) return findings(target, missing, building);
      await target.pause(BUILDING.pauseMs);
    }
  },
};

function findings(
  { projectId, isAfterDeploy }: Target,
  missing: readonly string[],
  building: readonly string[],
): Finding[] {
  const advice = deployOnly('firestore:indexes', projectId);
  return [
    ...missing.map((text) => ({ text: `${text} is not ready.`, advice })),
    ...building.map((part): Finding => {
      const text = `${part} is being built.`;
      return isAfterDeploy ? { text, isNote: true } : { text, advice: 'Wait, and run this again.' };
    }),
  ];
}

function wantedParts(): string[] {
  const file = JSON.parse(readFileSync(join(ROOT, 'firestore.indexes.json'), 'utf8')) as IndexesFile;
  return [
    ...file.indexes.map((index) => indexText(index.collectionGroup, index)),
    ...file.fieldOverrides.flatMap(({ collectionGroup, fieldPath, ttl, indexes }) => [
      ...(ttl === true ? [policyText(`${collectionGroup}.${fieldPath}`)] : []),
      ...indexes.map(({ queryScope, ...kind }) =>
        indexText(collectionGroup, { queryScope, fields: [{ fieldPath, ...kind }] }),
      ),
    ]),
  ];
}

async function deployedParts({ google, projectId }: Target): Promise<States> {
  const groups = `firestore.googleapis.com/v1/projects/${projectId}/databases/(default)/collectionGroups/-`;
  const indexes = await google.list<Index & { name: string; state: string }>(`${groups}/indexes`, 'indexes');
  // Google lists no fields without a filter, and these two parts select all that differ from the default.
  const filter = encodeURIComponent('indexConfig.usesAncestorConfig=false OR ttlConfig:*');
  const fields = await google.list<Field>(`${groups}/fields?filter=${filter}`, 'fields');
  const states = [
    ...indexes.map((index) => [indexText(groupOf(index.name), index), index.state]),
    ...fields.flatMap(({ name, ttlConfig, indexConfig: { indexes: ofField = [] } = {} }) => [
      [policyText(`${groupOf(name)}.${name.split('/fields/').at(-1) ?? ''}`), ttlConfig?.state],
      ...ofField.map((index) => [indexText(groupOf(name), index), index.state]),
    ]),
  ] as [text: string, state: string | undefined][];
  return new Map(states.flatMap(([text, state]) => (state === undefined ? [] : [[text, state]])));
}

function indexText(group: string, { queryScope, fields }: Index): string {
  const columns = fields
    .filter(({ fieldPath }) => fieldPath !== '__name__')
    .map(({ fieldPath, order, arrayConfig }) => `${fieldPath} ${order ?? arrayConfig ?? ''}`);
  return `The index "${group} ${queryScope} ${columns.join(', ')}"`;
}

const policyText = (field: string) => `The TTL policy of ${field}`;

/** The collection group in `…/collectionGroups/{group}/…`. */
const groupOf = (name: string) => /\/collectionGroups\/([^/]+)\//.exec(name)?.[1] ?? '';
