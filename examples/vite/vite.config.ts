import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Inside this repository the sources of the client, so that it need not be built. Leave it out elsewhere.
  resolve: { conditions: ['@hearth/source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
