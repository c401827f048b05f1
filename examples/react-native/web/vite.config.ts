import { defaultClientConditions, defineConfig } from 'vite';

/** Bundles the app for a browser. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    conditions: ['@hearth/source', ...defaultClientConditions],
    alias: { 'react-native': `${import.meta.dirname}/phone.ts` },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
