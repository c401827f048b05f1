/**
 * Writes the tables of docs/configuration.md from functions/src/settings/table.ts: `npm run configuration`. The text
 * around the tables is written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setting } from '../functions/src/settings/kinds.ts';
import { SETTING_GROUPS } from '../functions/src/settings/table.ts';
import { ROOT } from './paths.ts';

export const CONFIGURATION_PAGE = join(ROOT, 'docs/configuration.md');

const HEAD = ['| Setting | Default | Values | Description |', '| --- | --- | --- | --- |'];

/**
 * Replaces the table below the heading of each subject.
 *
 * @throws Error if a subject has no heading, or no table below its heading
 */
export function withTables(markdown: string): string {
  return Object.entries(SETTING_GROUPS).reduce((page, [subject, settings]) => {
    const [before, section, ...others] = page.split(`\n## ${subject}\n`);
    if (before === undefined || section === undefined || others.length > 0) {
      throw new Error(`docs/configuration.md must have exactly one heading "## ${subject}".`);
    }
    const rows = [...HEAD, ...Object.values(settings).map(rowOf)];
    const replaced = replaceTable(section, rows.map((row) => `${row}\n`).join(''));
    if (replaced === undefined) throw new Error(`docs/configuration.md has no table below "## ${subject}".`);
    return `${before}\n## ${subject}\n${replaced}`;
  }, markdown);
}

/** Replaces the first table of a section, or returns undefined if the section has none. */
function replaceTable(text: string, table: string): string | undefined {
  const found = /^(?:\|.*\n)+/m.exec(text);
  if (found === null || text.slice(0, found.index).includes('\n## ')) return undefined;
  return text.slice(0, found.index) + table + text.slice(found.index + found[0].length);
}

function rowOf({ name, param, default: value, values, description }: Setting): string {
  const cells = [`\`${name}\``, defaultCell(param, value), escaped(values), escaped(description)];
  return `| ${cells.join(' | ')} |`;
}

function defaultCell(param: Setting['param'], value: Setting['default']): string {
  if (param === 'secret') return 'required, secret';
  return value === undefined ? 'required' : `\`${value}\``;
}

/** Markdown for plain text. Unescaped, `<address>` would be HTML. */
function escaped(text: string): string {
  return text.replaceAll(/[<>|]/g, '\\$&');
}

if (import.meta.main) {
  writeFileSync(CONFIGURATION_PAGE, withTables(readFileSync(CONFIGURATION_PAGE, 'utf8')));
}
