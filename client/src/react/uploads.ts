import { useCallback, useEffect, useRef, useState } from 'react';
import type { StoredFile, Upload } from '../types.ts';
import type { Answer } from './answer.ts';
import { useAnswers, useShared, type Reloading } from './provider.ts';

interface OfTeam {
  /** Id of the team; the user's own uploads by default. */
  team?: string | undefined;
}

const keyOf = (team: string | undefined) => `uploads/${team ?? ''}`;

/** The latest 100 uploads, newest first. */
export type UploadsAnswer = Answer<Upload[]> &
  Reloading & {
    /**
     * Deletes an upload, and loads the list again.
     *
     * @throws HearthError
     */
    remove: (id: string) => Promise<void>;
  };

export function useUploads({ team }: OfTeam = {}): UploadsAnswer {
  const answers = useAnswers();
  const { uploads } = answers.client;
  const shared = answers.ofUser(keyOf(team), async (signal) => {
    const page = await uploads.list({ limit: 100, signal, ...(team !== undefined && { team }) });
    return page.items;
  });
  const remove = useCallback(
    async (id: string) => {
      await uploads.delete(id);
      await shared.reload();
    },
    [uploads, shared],
  );
  return { ...useShared(shared), remove };
}

/** The state of the file that was sent last. */
export type Sending =
  | { status: 'idle' }
  /** `progress` is from 0 to 1. */
  | { status: 'sending'; progress: number }
  | { status: 'sent'; stored: StoredFile }
  | { status: 'failed'; error: Error };

export type Uploader = Sending & {
  /** Sends a file, instead of the one that is being sent. Never rejects. */
  send: (file: File) => Promise<void>;
  /** Ends the upload that runs. */
  cancel: () => void;
};

/**
 * Sends files one at a time, and loads `useUploads` again afterwards. Ends the upload when the component is removed.
 */
export function useUpload({ team }: OfTeam = {}): Uploader {
  const answers = useAnswers();
  const [sending, setSending] = useState<Sending>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);
  const cancel = useCallback(() => {
    running.current?.abort();
    setSending({ status: 'idle' });
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  const send = useCallback(
    async (file: File) => {
      running.current?.abort();
      const { signal } = (running.current = new AbortController());
      const show = (state: Sending) => {
        if (!signal.aborted) setSending(state);
      };
      show({ status: 'sending', progress: 0 });
      const onProgress = (sent: number, total: number) => {
        show({ status: 'sending', progress: sent / total });
      };
      try {
        const stored = await answers.client.uploads.send(file, { team, signal, onProgress });
        show({ status: 'sent', stored });
        await answers.reload(keyOf(team));
      } catch (error) {
        show({ status: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    [answers, team],
  );
  return { ...sending, send, cancel };
}
