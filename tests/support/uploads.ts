import { adminFirestore } from './people.ts';

/** What the uploads of a user or a team take, as it is counted. */
export async function usedBytes(ownerId: string): Promise<number> {
  return ((await adminFirestore().doc(`usage/${ownerId}`).get()).get('bytes') as number | undefined) ?? 0;
}

/** What they take as the documents say, which is what the count must be. */
export async function documentedBytes(ownerId: string): Promise<number> {
  const uploads = await adminFirestore().collection('uploads').where('ownerId', '==', ownerId).get();
  const counted = uploads.docs.filter((upload) => upload.get('status') !== 'refused');
  return counted.reduce((sum, upload) => sum + (upload.get('size') as number), 0);
}
