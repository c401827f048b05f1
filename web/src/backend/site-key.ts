/** Of reCAPTCHA Enterprise, for App Check; empty where that is not used. */
export const SITE_KEY = import.meta.env.VITE_APP_CHECK_SITE_KEY ?? '';
