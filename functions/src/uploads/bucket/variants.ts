import type { Bucket } from '../../backend-clients.ts';
import type { Upload, Variant } from '../../firestore/documents/upload.ts';
import { ignoreIfMissingOrChanged } from './failures.ts';
import type { ObjectDescription } from './metadata.ts';
import { rewriteObject } from './storage.ts';

export function variantDescriptionOf({ ownerId, name, visibility }: Upload): ObjectDescription {
  return { ownerId, name, visibility, contentType: 'image/webp', disposition: 'inline' };
}

/**
 * Gives each variant of an upload a new token. Call this function in a transaction that reads the record and then
 * writes the result, so that the record names the tokens that were set last.
 *
 * @returns the variants with their new URLs. A variant whose object is gone is returned as it was
 */
export async function replaceVariantTokens(bucket: Bucket, upload: Upload): Promise<Variant[]> {
  const description = variantDescriptionOf(upload);
  const variants: Variant[] = [];
  for (const variant of upload.variants) {
    const copy = await rewriteObject(bucket, variant.path, description).catch(ignoreIfMissingOrChanged);
    variants.push({ ...variant, url: copy?.url ?? variant.url });
  }
  return variants;
}
