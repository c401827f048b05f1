/**
 * The metadata of objects at Stripe that names their user or team, by the type of the subject. The Stripe extension for
 * Firebase uses the same name for users.
 */
export const SUBJECT_METADATA = { user: 'firebaseUID', team: 'teamId' } as const;
