import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Folders of functions/src that are features; each may import only itself, http/, config and what is listed here. */
const FEATURES = {
  account: ['teams', 'billing'],
  billing: ['teams', 'audit'],
  teams: ['audit'],
  invitations: ['teams', 'audit', 'mail'],
  uploads: ['billing', 'teams', 'audit'],
  mail: [],
  audit: [],
};

const layerRules = Object.entries(FEATURES).map(([feature, allowed]) => {
  const forbidden = Object.keys(FEATURES).filter((other) => other !== feature && !allowed.includes(other));
  return {
    files: [`functions/src/${feature}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^\\.\\./(${forbidden.join('|')})/`,
              message: `${feature}/ may import http/, config, its own folder${allowed.map((a) => ` and ${a}/`).join('')}.`,
            },
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  { ignores: ['**/node_modules/', '**/lib/', '**/dist/', 'client/src/generated/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 15],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.test.ts', 'tests/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-confusing-void-expression': 'off' },
  },
  {
    files: ['**/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  ...layerRules,
  {
    files: ['functions/src/**/*.ts'],
    ignores: ['functions/src/settings/environment.ts', 'functions/src/testing/**', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read it through settings/environment.ts.' },
      ],
    },
  },
  {
    files: ['functions/src/settings/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^\\.\\./(?!\\.\\./plans\\.json$)', message: 'settings/ imports no other folder.' },
          ],
        },
      ],
    },
  },
  {
    files: ['functions/src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value='zod'] > ImportSpecifier",
          message: "Write import * as z from 'zod': of the named import the bundle carries all of zod.",
        },
      ],
    },
  },
);
