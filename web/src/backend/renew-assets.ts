const ASSETS = '/assets/';

/**
 * Replaces the missing files of the app in the cache of the browser. Hosting sends its 404 with the header of all
 * assets, so the browser keeps it for a year. An operator who deploys an older version again brings the files back.
 *
 * An import fails if any file fails that it needs. No browser names that file, but each one lists what it has loaded.
 *
 * @returns false if no answer came, so that the browser is probably offline
 */
export async function renewAssets(): Promise<boolean> {
  const urls = new Set(performance.getEntriesByType('resource').filter(isMissing).map(urlOf));
  const answers = await Promise.all([...urls].map(isAnswered));
  return answers.length === 0 || answers.includes(true);
}

const urlOf = ({ name }: PerformanceEntry) => name;

/** True for a file of the app that failed, and for all files in browsers that do not report the status. */
function isMissing(entry: PerformanceEntry): boolean {
  const isLoaded = 'responseStatus' in entry && entry.responseStatus === 200;
  return !isLoaded && entry.name.startsWith(location.origin + ASSETS);
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    await fetch(url, { cache: 'reload' });
    return true;
  } catch {
    return false;
  }
}
