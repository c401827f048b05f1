import { unlessMissing, type Google, type Operation } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';
import { hasBilling } from './project.ts';

export const FIRESTORE = 'firestore.googleapis.com/v1';

interface Database {
  locationId?: string;
  type?: string;
}

/** Multi-regions of Firestore with the regions that are near to them. */
const NEAR_MULTI_REGIONS: Readonly<Record<string, RegExp>> = {
  nam5: /^us-/,
  nam7: /^us-/,
  eur3: /^europe-/,
};

/** Whether functions of a region are near to a place, which is a region or a multi-region. */
function isNear(place: string, region: string): boolean {
  return place === region || NEAR_MULTI_REGIONS[place]?.test(region) === true;
}

const databaseOf = ({ google, projectId }: Pick<Target, 'google' | 'projectId'>) =>
  unlessMissing(google.get<Database>(`${FIRESTORE}/projects/${projectId}/databases/(default)`));

/** https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases */
export const firestoreStep: Step = {
  title: 'Firestore',
  check: async ({ google, projectId, region }) => {
    const parent = `${FIRESTORE}/projects/${projectId}`;
    const database = await databaseOf({ google, projectId });
    if (database === undefined) {
      const create = () =>
        google.post<Operation>(`${parent}/databases?databaseId=(default)`, {
          locationId: region,
          type: 'FIRESTORE_NATIVE',
        });
      return [
        {
          text: 'There is no database.',
          action: `create the database in ${region}, which cannot be moved later`,
          apply: async () => {
            await google.finish(FIRESTORE, await create());
          },
        },
      ];
    }
    return [...wrongType(database), ...wrongPlace('The database', database.locationId ?? '', region)];
  },
};

function wrongType({ type }: Database): Finding[] {
  if (type === 'FIRESTORE_NATIVE') return [];
  return [
    {
      text: 'The database is in Datastore mode.',
      advice: 'Take another project, or change the mode of the empty database to Firestore native.',
    },
  ];
}

function wrongPlace(what: string, place: string, region: string): Finding[] {
  if (isNear(place, region)) return [];
  return [
    {
      text: `${what} is in ${place}, and the functions in ${region}.`,
      advice: `It cannot be moved. Set REGION to a region of ${place}, and deploy.`,
    },
  ];
}

const STORAGE = 'firebasestorage.googleapis.com/v1alpha';
export const BUCKETS = 'storage.googleapis.com/storage/v1/b';

const bucketPath = ({ projectId }: Pick<Target, 'projectId'>) =>
  `${STORAGE}/projects/${projectId}/defaultBucket`;

/** The name of the default bucket, or undefined if there is none. */
export async function defaultBucket(target: {
  projectId: string;
  google: Pick<Google, 'get'>;
}): Promise<string | undefined> {
  const found = await unlessMissing(target.google.get<{ bucket?: { name?: string } }>(bucketPath(target)));
  return found?.bucket?.name?.split('/').at(-1);
}

/** The trigger of Storage needs the functions in the region of the bucket, or within its multi-region. */
export const bucketStep: Step = {
  title: 'Bucket',
  check: async (target) => {
    const { google, region } = target;
    const bucket = await defaultBucket(target);
    if (bucket === undefined) {
      if (!(await hasBilling(target))) {
        const advice = 'Google makes one on the Blaze plan only. Choose it, and run npm run setup again.';
        return [{ text: 'There is no bucket.', advice }];
      }
      const place = (await databaseOf(target))?.locationId;
      if (place !== undefined && !isNear(place, region)) {
        const advice = `The database is in ${place}, and a bucket cannot be moved later. Run npm run setup with --region and a region of ${place}.`;
        return [{ text: `There is no bucket in ${region}.`, advice }];
      }
      return [
        {
          text: 'There is no bucket.',
          action: `create the bucket in ${region}, which cannot be moved later`,
          apply: async () => {
            await google.post(bucketPath(target), { location: region });
          },
        },
      ];
    }
    const { location } = await google.get<{ location: string }>(`${BUCKETS}/${bucket}`);
    const place = location.toLowerCase();
    return region.startsWith({ us: 'us-', eu: 'europe-', asia: 'asia-' }[place] ?? place)
      ? []
      : wrongPlace('The bucket', place, region);
  },
};
