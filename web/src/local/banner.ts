import * as z from 'zod/mini';
import { isLocal } from '../backend/settings.ts';

const bannerSchema = z.object({
  people: z.array(z.object({ email: z.string(), password: z.string() })),
  inbox: z.string(),
  data: z.string(),
  /** Whether the pages are built again when their sources change. */
  isWatched: z.boolean(),
});

/** Where a developer finds the parts of the stack that `npm start` has started. */
export type Banner = z.infer<typeof bannerSchema>;

const HIDDEN = 'hearth:local-banner-hidden';

/**
 * Reads the banner from a header that `npm start` adds to a file (scripts/local-hosting.ts). A page that does not come
 * from this machine asks for nothing.
 *
 * @returns undefined if there is none
 */
export async function readBanner(): Promise<Banner | undefined> {
  if (!isLocal(location.hostname)) return undefined;
  const { headers } = await fetch('/favicon.svg', { method: 'HEAD' });
  const { data } = bannerSchema.safeParse(parse(headers.get('x-local-banner')));
  return data;
}

/** Whether the developer has hidden the banner in this browser. */
export const isHidden = () => localStorage.getItem(HIDDEN) !== null;

/** Hides the banner in this browser. */
export function hideBanner(): void {
  localStorage.setItem(HIDDEN, '1');
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
