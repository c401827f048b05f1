import type { Caller } from '../../auth/caller.ts';

/** Owner of anonymous uploads. A uid that Firebase generates has no underscore. */
export const ANONYMOUS = '_anonymous';

/**
 * The user or team whose quota an upload counts against, with the sender. An anonymous upload counts against no quota.
 */
export type OwnerWithSender =
  | { readonly type: 'anonymous'; readonly id: typeof ANONYMOUS; readonly senderId: null }
  | {
      readonly type: 'user' | 'team';
      /** A uid or the id of a team. */
      readonly id: string;
      /** The uid of the user who sends the upload. */
      readonly senderId: string;
    };

/**
 * The owner of a new upload.
 *
 * @param sender undefined for an anonymous upload
 * @param teamId the team that the upload is for; undefined if it is for the sender
 */
export function ownerWithSender(sender: Pick<Caller, 'uid'> | undefined, teamId?: string): OwnerWithSender {
  if (sender === undefined) return { type: 'anonymous', id: ANONYMOUS, senderId: null };
  const { uid } = sender;
  return teamId === undefined
    ? { type: 'user', id: uid, senderId: uid }
    : { type: 'team', id: teamId, senderId: uid };
}
