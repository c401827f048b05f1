import type { ExpressionReport } from './coverage.ts';

export interface CoverageReport {
  readonly source: string;
  readonly report: readonly ExpressionReport[];
}

const STYLE = `
  body { font: 14px/1.5 ui-monospace, monospace; margin: 2rem; white-space: pre-wrap; }
  .evaluated { background: #d7f5dd; }
  .never { background: #ffdede; }
  span:hover { outline: 1px solid #888; }
`;

/** The source with the results of each expression in its tooltip. Expressions that were never evaluated are red. */
export function coveragePage({ source, report }: CoverageReport): string {
  const body = annotate(source, report, 0, source.length);
  return `<!doctype html><meta charset="utf-8"><title>Rule coverage</title><style>${STYLE}</style><body>${body}</body>\n`;
}

/** The source between two offsets with its expressions marked, which do not overlap. */
function annotate(source: string, reports: readonly ExpressionReport[], start: number, end: number): string {
  const parts: string[] = [];
  let done = start;
  for (const { sourcePosition, values, children } of reports) {
    const { currentOffset, endOffset } = sourcePosition;
    parts.push(escaped(source.slice(done, currentOffset)));
    const inner = annotate(source, children, currentOffset, endOffset);
    const kind = values.length > 0 ? 'evaluated' : 'never';
    parts.push(`<span class="${kind}" title="${escaped(summary(values))}">${inner}</span>`);
    done = endOffset;
  }
  return [...parts, escaped(source.slice(done, end))].join('');
}

function summary(values: ExpressionReport['values']): string {
  if (values.length === 0) return 'never evaluated';
  return values.map(({ value, count }) => `${JSON.stringify(value)}: ${count}`).join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
