const POLL_MS = 1000;

/**
 * Reloads the page when `npm start` has built it again, which the time of the app's document shows. A time must be seen
 * twice, because the files of a build are not written at one moment. (Hosting's emulator never changes an entity tag.)
 *
 * @returns ends it
 */
export function reloadAfterBuild(
  reload: () => void = () => {
    location.reload();
  },
): () => void {
  let loaded: string | null = null;
  let seen: string | null = null;
  const look = async () => {
    const { headers } = await fetch('/', { method: 'HEAD', cache: 'no-store' });
    const time = headers.get('last-modified');
    loaded ??= time;
    if (time !== loaded && time === seen) reload();
    seen = time;
  };
  const timer = setInterval(() => {
    // A stopped stack does not answer. A hidden page reloads when it becomes visible.
    if (!document.hidden) look().catch(() => undefined);
  }, POLL_MS);
  return () => {
    clearInterval(timer);
  };
}
