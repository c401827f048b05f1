import type { EndGrants } from './grants.ts';
import type { ExportParts } from './export-parts.ts';

/**
 * Deletes at most `limit` documents or files of one kind that belong to a team or user.
 *
 * @returns how many were deleted; fewer than `limit` means that none is left
 */
export type PurgeWith<B> = (backend: B, ownerId: string, limit: number) => Promise<number>;

/** A user whose account is being deleted. Documents of others may name them. */
export interface FormerUser {
  uid: string;
  /** Lower case. Without verification it may be another person's address. */
  email: string | undefined;
  /** The address, if it was verified. Anybody can register another person's address and delete the account again. */
  verifiedEmail: string | undefined;
  /** Replaces uid and address in the data that stays. */
  pseudonym: string;
}

/**
 * Removes a deleted user from at most `limit` documents of others: deletes the documents, or replaces uid and address by
 * the pseudonym.
 *
 * @returns how many documents were changed; fewer than `limit` means that none is left
 */
export type RemoveTracesWith<B> = (backend: B, user: FormerUser, limit: number) => Promise<number>;

/**
 * Functions of the features that purge or export their data with an account, a team or a member's rights.
 *
 * @typeParam B the backend that they use, which has these functions itself
 */
export interface Hooks<B> {
  /** Purge data that belongs to an account. */
  readonly purgeAccount: readonly PurgeWith<B>[];
  /** Purge data that belongs to a team. */
  readonly purgeTeam: readonly PurgeWith<B>[];
  /** Remove a deleted user from data of others, in this order. */
  readonly removeTraces: readonly RemoveTracesWith<B>[];
  /** Ends what a member granted and can no longer grant. */
  readonly endGrants: EndGrants;
  /** The parts of an export of personal data. `account/export.view.ts` describes them. */
  readonly exportParts: ExportParts;
}
