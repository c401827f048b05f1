/**
 * Functions that the oldest supported browsers do not have (web/README.md), as ESLint rules for the code of browsers.
 * tsconfig.json forbids what is newer than ES2024.
 */
const FILES = ['{web,client,shared}/src/**/*.{ts,tsx}'];

const message = 'The oldest supported browsers do not have it, see web/README.md.';

/** Functions of an object, by the name of the object. */
const OF_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  URL: ['parse', 'canParse'],
  AbortSignal: ['any'],
  Array: ['fromAsync'],
  Atomics: ['waitAsync'],
  CSS: ['highlights'],
  Error: ['isError'],
  Intl: ['DurationFormat', 'Segmenter'],
  Iterator: ['from'],
  Map: ['groupBy'],
  Math: ['f16round', 'sumPrecise'],
  Object: ['groupBy'],
  Promise: ['try', 'withResolvers'],
  RegExp: ['escape'],
  Response: ['json'],
  Uint8Array: ['fromBase64', 'fromHex'],
  document: ['caretPositionFromPoint', 'startViewTransition'],
};

/** Methods and properties of any object. */
const OF_ANY = [
  'checkVisibility',
  'hidePopover',
  'isWellFormed',
  'moveBefore',
  'requestClose',
  'scheduler',
  'setHTMLUnsafe',
  'showPopover',
  'togglePopover',
  'toWellFormed',
  'transferToFixedLength',
];

/** Names of variables for `URLSearchParams`, whose `size` is newer than that of other collections. */
const PARAMETERS = '/query|search|params/i';

export const browserRules = [
  {
    files: FILES,
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...Object.entries(OF_OBJECTS).flatMap(([object, properties]) =>
          properties.map((property) => ({ object, property, message })),
        ),
        ...OF_ANY.map((property) => ({ property, message })),
      ],
      'no-restricted-globals': [
        'error',
        ...['requestIdleCallback', 'scheduler', 'navigation', 'Iterator', 'URLPattern'].map((name) => ({
          name,
          message,
        })),
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'Literal[regex.flags=/v/]', message: `Write the flag u: ${message}` },
        { selector: `MemberExpression[object.name=${PARAMETERS}][property.name='size']`, message },
        {
          selector:
            'ImportExpression:not(CallExpression[callee.name="loadPart"] *, Property[key.name="load"] *)',
          message: 'Write loadPart(() => import(…)), which replaces missing files in the cache.',
        },
      ],
    },
  },
];
