/** What Vite builds in, from web/.env. https://vite.dev/guide/env-and-mode */
interface ImportMeta {
  readonly env: {
    /** Of reCAPTCHA Enterprise, for App Check; without one there is none. */
    readonly VITE_APP_CHECK_SITE_KEY?: string;
  };
}
