/** Site key of reCAPTCHA Enterprise, for App Check; empty if the app does not use it. */
export const SITE_KEY = import.meta.env.VITE_APP_CHECK_SITE_KEY ?? '';
