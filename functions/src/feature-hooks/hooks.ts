import type { Reads } from '../firestore/db.ts';
import type { ExportParts } from '../personal-data/export-parts.ts';
import type { EndGivenRights, EndRemainingRightsWith } from './given-rights.ts';

/**
 * Deletes at most `limit` documents or files of one kind that belong to a team or user.
 *
 * @typeParam B is `Backend`. A type parameter avoids an import cycle, because `backend.ts` imports this file
 * @param id a uid or the id of a team
 * @returns how many were deleted; fewer than `limit` means that none is left
 */
export type PurgeWith<B> = (backend: B, id: string, limit: number) => Promise<number>;

/** A user whose account is being deleted. Documents of others may name this user. */
export interface UserToForget {
  uid: string;
  /** Lower case. Without verification it may be another person's address. */
  email: string | undefined;
  /** The address, if it was verified. Anybody can register another person's address and delete the account again. */
  verifiedEmail: string | undefined;
  /** Replaces uid and address in the data that stays. */
  pseudonym: string;
}

/**
 * Forgets a deleted user in at most `limit` documents of others: deletes the documents, or replaces uid and address by
 * the pseudonym.
 *
 * @returns how many documents were changed; fewer than `limit` means that none is left
 */
export type ForgetWith<B> = (backend: B, user: UserToForget, limit: number) => Promise<number>;

/** Functions of the features that purge, forget or export their data. `registry.ts` lists them. */
export interface FeatureHooks<B> {
  readonly purgeAccount: readonly PurgeWith<B>[];
  readonly purgeTeam: readonly PurgeWith<B>[];
  /** True if `purgeTeam` would end a running subscription. For a team whose document is damaged. */
  readonly hasRunningSubscription: (reads: Reads, teamId: string) => Promise<boolean>;
  /** Run in this order. */
  readonly forgetUser: readonly ForgetWith<B>[];
  readonly endGivenRights: EndGivenRights;
  readonly endRemainingRights: EndRemainingRightsWith<B>;
  /** The parts of an export of personal data. `account/export.view.ts` describes them. */
  readonly exportParts: ExportParts;
}
