const ASSETS = '/assets/';

// By default browsers keep 250 entries, and drop all later ones.
performance.setResourceTimingBufferSize(10_000);

/**
 * Replaces the missing files of the app in the cache of the browser. Hosting sends its 404 with the header of all
 * assets, so the browser keeps it for a year. An operator who deploys an older version again brings the files back.
 *
 * An import fails if any file fails that it needs. No browser names that file, but each one lists what it has loaded.
 *
 * @returns `nothing` if no file is missing; `offline` if no answer came; otherwise `renewed`
 */
export async function renewAssets(): Promise<'nothing' | 'offline' | 'renewed'> {
  const urls = new Set(performance.getEntriesByType('resource').filter(isMissing).map(urlOf));
  const answers = await Promise.all([...urls].map(isAnswered));
  if (answers.length === 0) return 'nothing';
  return answers.includes(true) ? 'renewed' : 'offline';
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
