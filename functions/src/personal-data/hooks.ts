import type { EndGrants } from './grants.ts';
import type { ExportParts } from './export-parts.ts';
import type { Purge, RemoveTraces } from './removal.ts';

/** Functions of the features that purge or export their data with an account, a team or a member's rights. */
export interface Hooks {
  /** Purge data that belongs to an account. */
  readonly purgeAccount: readonly Purge[];
  /** Purge data that belongs to a team. */
  readonly purgeTeam: readonly Purge[];
  /** Remove a deleted user from data of others, in this order. */
  readonly removeTraces: readonly RemoveTraces[];
  /** Ends what a member granted and may no longer grant. */
  readonly endGrants: EndGrants;
  /** The parts of an export of personal data. `account/export.view.ts` describes them. */
  readonly exportParts: ExportParts;
}
