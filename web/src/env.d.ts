/** Variables of web/.env that Vite builds in. https://vite.dev/guide/env-and-mode */
interface ImportMeta {
  readonly env: {
    /** Site key of reCAPTCHA Enterprise. Without it the app does not use App Check. */
    readonly VITE_APP_CHECK_SITE_KEY?: string;
    /** `true` if the project has authenticator apps as second factor. */
    readonly VITE_SECOND_FACTOR?: string;
    /** The ways to sign in that the pages offer: `password`, `google`, or both with a comma. By default both. */
    readonly VITE_SIGN_IN_PROVIDERS?: string;
  };
}
