import type { MemberDocument } from './documents.ts';

/** What a member is called. */
export function nameOf({ displayName, email }: Pick<MemberDocument, 'displayName' | 'email'>): string {
  return displayName ?? email ?? 'Somebody without a name';
}
