import { effect } from '@preact/signals';
import { hearth } from '../backend/hearth.ts';
import { loadPart } from '../backend/load-part.ts';
import { UploadQueue, type SendingOptions } from './upload-queue.ts';

/** Larger files are sent directly to Storage, in pieces, because a request cannot be much larger (docs/api.md). */
const LARGE_BYTES = 8_000_000;

async function send(file: File, options: SendingOptions): Promise<unknown> {
  if (file.size <= LARGE_BYTES) return hearth.uploads.send(file, options);
  // Few files are large, so the code for them is loaded with the first one.
  const { sendLarge } = await loadPart(() => import('./direct.ts'));
  return sendLarge(file, options);
}

/** The queue of the whole app. It continues while another page is shown. */
export const uploads = new UploadQueue(send);

const askBeforeLeaving = (event: BeforeUnloadEvent) => {
  event.preventDefault();
};

effect(() => {
  if (uploads.isBusy) addEventListener('beforeunload', askBeforeLeaving);
  else removeEventListener('beforeunload', askBeforeLeaving);
});
