import { errorTexts, UserFacingError } from '../errors.ts';
import { renewAssets } from './renew-assets.ts';

/**
 * Loads a part of the app, such as a page: `loadPart(() => import('./page.ts'))`. Chromium remembers a failed import
 * until the page is loaded again, so another try in the same page would fail, too.
 *
 * @throws UserFacingError if a file of the part cannot be loaded, such as after a deployment that removed it
 * @throws the error of the part itself, if all files were loaded
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const outcome = await renewAssets();
    if (outcome === 'nothing') throw error;
    const { newVersion, partUnreachable } = errorTexts();
    throw new UserFacingError(outcome === 'renewed' ? newVersion : partUnreachable, { cause: error });
  }
}
