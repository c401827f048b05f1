import { expect, test } from 'vitest';
import { entriesOf, newEntries, versionHeadingsOf } from './changelog.ts';

const OLDER = `# Changelog

- No entry: there is no version above it.

## Unreleased

### Added

- Push messages, which
  \`PUSH_MESSAGES\` turns on.

## 0.1.0 - 2026-01-31

The first version.
`;

const NEWER = OLDER.replace(
  '## Unreleased\n',
  '## Unreleased\n\n## 0.2.0 - 2026-02-28\n\n**No way back.** It renames\nfields.\n',
).replace(
  '\n## 0.1.0',
  '\n### Fixed\n\n- Seats are counted once.\n- Mail waits.\n\nA paragraph.\n\n## 0.1.0',
);

test('the headings are read in their order', () => {
  expect(versionHeadingsOf(NEWER)).toEqual(['Unreleased', '0.2.0 - 2026-02-28', '0.1.0 - 2026-01-31']);
});

test('an entry has its version, its kind and its text on one line', () => {
  expect(entriesOf(NEWER).slice(1)).toEqual([
    { version: '0.2.0 - 2026-02-28', kind: '', text: '**No way back.** It renames fields.' },
    {
      version: '0.2.0 - 2026-02-28',
      kind: 'Added',
      text: 'Push messages, which `PUSH_MESSAGES` turns on.',
    },
    { version: '0.2.0 - 2026-02-28', kind: 'Fixed', text: 'Seats are counted once.' },
    { version: '0.2.0 - 2026-02-28', kind: 'Fixed', text: 'Mail waits.' },
    { version: '0.1.0 - 2026-01-31', kind: '', text: 'The first version.' },
  ]);
});

test('an entry that moved from Unreleased to a version is not new', () => {
  expect(newEntries(OLDER, NEWER).map(({ text }) => text)).toEqual([
    '**No way back.** It renames fields.',
    'Seats are counted once.',
    'Mail waits.',
  ]);
});
