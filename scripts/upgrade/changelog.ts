/** Reads CHANGELOG.md, whose form is described in CONTRIBUTING.md under "Releases". */

/** One change, with the headings above it. */
export interface Entry {
  /** `Unreleased`, or a version and its date. */
  version: string;
  /** `Added`, `Changed`, `Fixed` or the like. */
  kind: string;
  /** The text on one line. */
  text: string;
}

/** The headings of versions, newest first. */
export function versionHeadingsOf(changelog: string): string[] {
  return [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
}

/**
 * The items of the lists, and the paragraphs between the heading of a version and the first list. These say what holds
 * for the whole version, such as that there is no way back.
 */
export function entriesOf(changelog: string): Entry[] {
  const entries: Entry[] = [];
  let version = '';
  let kind = '';
  let isOpen = false;
  for (const line of changelog.split('\n')) {
    const [, marks, heading = ''] = /^(##|###) (.+)$/.exec(line) ?? [];
    if (marks === '##') version = heading;
    if (marks !== undefined) kind = marks === '##' ? '' : heading;
    const text = marks === undefined ? line.trim() : '';
    const begins = line.startsWith('- ') || (!isOpen && version !== '' && kind === '');
    const last = entries.at(-1);
    if (text === '') isOpen = false;
    else if (begins) isOpen = entries.push({ version, kind, text: text.replace(/^- /, '') }) > 0;
    else if (isOpen && last !== undefined) last.text += ` ${text}`;
  }
  return entries;
}

/**
 * The entries of `newer` that `older` lacks. An entry that only moved from Unreleased to a version is not among them.
 */
export function newEntries(older: string, newer: string): Entry[] {
  const known = new Set(entriesOf(older).map(({ text }) => text));
  return entriesOf(newer).filter(({ text }) => !known.has(text));
}
