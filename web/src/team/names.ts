import type { MemberDocument } from './documents.ts';

/** The name of a member on the pages. */
export function nameOf({ displayName, email }: Pick<MemberDocument, 'displayName' | 'email'>): string {
  return displayName ?? email ?? 'Somebody without a name';
}
