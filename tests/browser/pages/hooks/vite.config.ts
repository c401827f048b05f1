import { defaultClientConditions, defineConfig } from 'vite';

/** Bundles the page that tests the hooks of the client. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@hearth/source', ...defaultClientConditions] },
});
