'use client';

/**
 * Hooks for React. They need a `HearthProvider` above them.
 *
 *     const session = useSession();
 *     if (session.status === 'loading') return <p>Loading</p>;
 *     if (session.data === null) return <SignIn />;
 */
export { useAction, type Action } from './action.ts';
export type { Answer } from './answer.ts';
export { HearthProvider, useHearth, type HearthProviderProps, type Reloading } from './provider.ts';
export { usePlans, useSession, useTeam, useTeams, type SessionAnswer, type TeamsAnswer } from './hooks.ts';
export { useUpload, useUploads, type Sending, type Uploader, type UploadsAnswer } from './uploads.ts';
