import type { UploadOptions } from '@hearth/client';
import { useCallback, useRef, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { messageOf } from '../errors.ts';

/** A file on its way. */
export interface Sending {
  id: number;
  name: string;
  /** 0 to 1. */
  sent: number;
  /** Why it did not arrive. */
  problem: string | undefined;
}

/** Above this a file goes straight to Storage, in pieces: a request holds little more (docs/api.md). */
const LARGE_BYTES = 8_000_000;

function send(file: File, options: UploadOptions): Promise<unknown> {
  if (file.size <= LARGE_BYTES) return hearth.uploads.send(file, options);
  // Few files are large: what sends them is loaded with the first one.
  return import('./direct.ts').then(({ sendLarge }) => sendLarge(file, options));
}

/** Files on their way: one that has arrived is gone from here, for it is in the list of what is stored. */
export function useUploads() {
  const [sending, setSending] = useState<Sending[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);

  const dismiss = useCallback((id: number) => {
    controllers.current.get(id)?.abort();
    controllers.current.delete(id);
    setSending((before) => before.filter((one) => one.id !== id));
  }, []);

  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const id = ++lastId.current;
        const controller = new AbortController();
        controllers.current.set(id, controller);
        setSending((before) => [...before, { id, name: file.name, sent: 0, problem: undefined }]);
        const change = (changed: Partial<Sending>) => {
          setSending((before) => before.map((one) => (one.id === id ? { ...one, ...changed } : one)));
        };
        const onProgress = (sent: number, total: number) => {
          change({ sent: total === 0 ? 0 : sent / total });
        };
        send(file, { onProgress, signal: controller.signal }).then(
          () => {
            dismiss(id);
          },
          (error: unknown) => {
            change({ problem: messageOf(error) });
          },
        );
      }
    },
    [dismiss],
  );

  return { sending, add, dismiss };
}
