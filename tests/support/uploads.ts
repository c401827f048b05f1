import { adminFirestore } from './people.ts';

/** The usage of a user or team, as it is counted. */
export async function usedBytes(ownerId: string): Promise<number> {
  return ((await adminFirestore().doc(`usage/${ownerId}`).get()).get('bytes') as number | undefined) ?? 0;
}

/** The sum of the sizes of all upload records, which the usage must equal. */
export async function documentedBytes(ownerId: string): Promise<number> {
  const uploads = await adminFirestore().collection('uploads').where('ownerId', '==', ownerId).get();
  const counted = uploads.docs.filter((upload) => upload.get('status') !== 'refused');
  return counted.reduce((sum, upload) => sum + (upload.get('size') as number), 0);
}
