/**
 * Replaces a missing part of the app in the cache of the browser. Hosting sends its 404 with the header of all assets,
 * so the browser keeps it for a year. An operator who deploys an older version again brings the part back.
 *
 * @param error of an `import()`; Chromium and Firefox name the URL in its message
 */
export async function renewChunk(error: unknown): Promise<void> {
  const url = /https?:\/\/\S+\.js/.exec(error instanceof Error ? error.message : '')?.[0];
  if (url === undefined || !URL.canParse(url) || new URL(url).origin !== location.origin) return;
  await fetch(url, { cache: 'reload' }).catch(() => undefined);
}
