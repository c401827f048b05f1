import { errorTexts, UserFacingError } from '../errors.ts';
import { renewAssets } from './renew-assets.ts';

/**
 * Loads a part of the app, such as a page: `loadPart(() => import('./page.ts'))`. Chromium remembers a failed import
 * until the page is loaded again, so another try in the same page would fail, too.
 *
 * @throws UserFacingError if the part cannot be loaded, such as after a deployment that removed its files
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const isOnline = await renewAssets();
    const { newVersion, partUnreachable } = errorTexts();
    throw new UserFacingError(isOnline ? newVersion : partUnreachable, { cause: error });
  }
}
