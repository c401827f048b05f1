import type { UploadOptions } from '@hearth/client';
import type { DirectUpload, DirectUploadState } from '@hearth/client/storage';
import { useCallback, useRef, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { messageOf } from '../errors.ts';

/** A file on its way. */
export interface Sending {
  id: number;
  name: string;
  /** 0 to 1. */
  sent: number;
  /** Of a file that goes straight to Storage: only such a one can be paused. */
  state: DirectUploadState | undefined;
  /** Why it did not arrive. */
  problem: string | undefined;
}

/** Above this a file goes straight to Storage, in pieces: a request holds little more (docs/api.md). */
const LARGE_BYTES = 8_000_000;

interface SendingOptions extends UploadOptions {
  onStart: (upload: DirectUpload) => void;
  onState: (state: DirectUploadState) => void;
}

function send(file: File, options: SendingOptions): Promise<unknown> {
  if (file.size <= LARGE_BYTES) return hearth.uploads.send(file, options);
  // Few files are large: what sends them is loaded with the first one.
  return import('./direct.ts').then(({ sendLarge }) => sendLarge(file, options));
}

/** What ends a file on its way, and what pauses it if it goes straight to Storage. */
interface Controls {
  end: AbortController;
  upload?: DirectUpload;
}

/** Files on their way: one that has arrived is gone from here, for it is in the list of what is stored. */
export function useUploads() {
  const [sending, setSending] = useState<Sending[]>([]);
  const controls = useRef(new Map<number, Controls>());
  const lastId = useRef(0);

  const dismiss = useCallback((id: number) => {
    controls.current.get(id)?.end.abort();
    controls.current.delete(id);
    setSending((before) => before.filter((one) => one.id !== id));
  }, []);

  /** Pauses what is sent, and resumes what is paused. */
  const toggle = useCallback((id: number) => {
    const upload = controls.current.get(id)?.upload;
    if (upload?.state === 'paused') upload.resume();
    else upload?.pause();
  }, []);

  const start = useCallback(
    (file: File) => {
      const id = ++lastId.current;
      const own: Controls = { end: new AbortController() };
      controls.current.set(id, own);
      setSending((before) => [
        ...before,
        { id, name: file.name, sent: 0, state: undefined, problem: undefined },
      ]);
      const change = (changed: Partial<Sending>) => {
        setSending((before) => before.map((one) => (one.id === id ? { ...one, ...changed } : one)));
      };
      const options: SendingOptions = {
        signal: own.end.signal,
        onProgress: (sent, total) => {
          change({ sent: total === 0 ? 0 : sent / total });
        },
        onStart: (upload) => {
          own.upload = upload;
          change({ state: upload.state });
        },
        onState: (state) => {
          change({ state });
        },
      };
      send(file, options).then(
        () => {
          dismiss(id);
        },
        (error: unknown) => {
          change({ problem: messageOf(error) });
        },
      );
    },
    [dismiss],
  );

  return { sending, start, toggle, dismiss };
}
