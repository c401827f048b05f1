/** The hosts that App Check needs. https://cloud.google.com/recaptcha/docs/faq (Content-Security-Policy) */
export const APP_CHECK_SOURCES = {
  'script-src': ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  'frame-src': ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
  'connect-src': ['https://content-firebaseappcheck.googleapis.com'],
} as const;

/**
 * Refuses to build pages whose Content-Security-Policy blocks App Check, because the backend would refuse all of their
 * requests.
 *
 * @throws Error that names the sources that the policy lacks
 */
export function assertReaches(policy: string, siteKey: string | undefined): void {
  if (siteKey === undefined || siteKey === '') return;
  const directives = policy.split('; ').map((directive) => directive.split(' '));
  const lacking = Object.entries(APP_CHECK_SOURCES).flatMap(([name, sources]) => {
    const allowed = directives.find(([directive]) => directive === name) ?? [];
    return sources.filter((source) => !allowed.includes(source)).map((source) => `${source} in ${name}`);
  });
  if (lacking.length === 0) return;
  throw new Error(
    `VITE_APP_CHECK_SITE_KEY is set, but the Content-Security-Policy of firebase.json lacks: ${lacking.join(', ')}`,
  );
}
