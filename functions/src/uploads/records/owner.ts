import type { Caller } from '../../auth/caller.ts';

/** The `ownerId` of anonymous uploads. Firebase never makes this uid, and an imported user must not have it. */
export const ANONYMOUS = '_anonymous';

/** The owner and the sender of an upload. The upload counts against the owner's quota, unless it is anonymous. */
export type OwnerWithSender =
  | { readonly type: 'anonymous'; readonly id: typeof ANONYMOUS; readonly senderId: null }
  | {
      readonly type: 'user' | 'team';
      readonly id: string;
      /** A uid. */
      readonly senderId: string;
    };

/**
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
