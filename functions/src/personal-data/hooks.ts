import type { EndGrants } from '../teams/rights.ts';
import type { ExportParts } from './export-parts.ts';
import type { RemoveContents, RemoveTraces } from './removal.ts';

/** Functions of the features that remove or export their data with an account, a team or a member's rights. */
export interface Hooks {
  /** Remove what belongs to an account. */
  readonly ofAccount: readonly RemoveContents[];
  /** Ends what a member granted and may no longer grant. */
  readonly ofMember: EndGrants;
  /** Remove what belongs to a team. */
  readonly ofTeam: readonly RemoveContents[];
  /** Remove a deleted user from the data of others, in this order. */
  readonly ofOthers: readonly RemoveTraces[];
  /** Everything about a user. `account/export.view.ts` describes it. */
  readonly exported: ExportParts;
}
