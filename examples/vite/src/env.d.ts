/** The variables of .env.example. https://vite.dev/guide/env-and-mode */
interface ImportMetaEnv {
  readonly VITE_HEARTH_URL: string;
  readonly VITE_FIREBASE_CONFIG: string;
  readonly VITE_AUTH_EMULATOR?: string;
}
