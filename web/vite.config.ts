import { BRAND, type Brand } from '@hearth/shared/brand';
import { defaultClientConditions, type UserConfig } from 'vite';
import { withBrand } from './brand-plugin.ts';
import { licenses } from './licenses-plugin.ts';

/** The oldest browsers in which the pages work, from 2023. eslint.browsers.ts forbids what they do not have. */
const OLDEST_BROWSERS = ['chrome111', 'edge111', 'firefox115', 'safari16.4'];

/**
 * Builds the web app into web/dist, which Firebase Hosting serves. Each page and each part of the Firebase SDK is a
 * chunk of its own, loaded when first needed.
 */
export const configOf = (brand: Brand): UserConfig => ({
  root: import.meta.dirname,
  plugins: [withBrand(brand), licenses],
  // The client's sources, so that the app needs no build of it.
  resolve: { conditions: ['@hearth/source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    // Hosting may be serving the folder; build.ts removes stale files.
    emptyOutDir: false,
    target: OLDEST_BROWSERS,
    sourcemap: true,
    // The Content-Security-Policy has no room for data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', '404.html'].map((page) => `${import.meta.dirname}/${page}`),
      output: {
        codeSplitting: {
          // The code that all parts of the SDK share belongs to none of these chunks, regardless of the order of
          // imports.
          groups: [
            {
              name: 'firebase-app',
              test: /node_modules\/(@firebase\/(app|component|logger|util)|firebase\/app|idb|tslib)\//,
              priority: 2,
            },
            {
              name: 'firebase-app-check',
              test: /node_modules\/(@firebase|firebase)\/app-check\//,
              priority: 1,
            },
            { name: 'firebase-auth', test: /node_modules\/(@firebase|firebase)\/auth\//, priority: 1 },
            { name: 'firebase-storage', test: /node_modules\/(@firebase|firebase)\/storage\//, priority: 1 },
            {
              name: 'firebase-firestore',
              test: /node_modules\/(@firebase\/(firestore|webchannel-wrapper)|firebase\/firestore)\//,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});

export default configOf(BRAND);
