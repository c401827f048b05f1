/** The script of the data page: every value of a document becomes text, never markup. */
import type { Place, ShownDocument } from '../data/documents.ts';
import type { Shown, ShownField } from '../data/values.ts';
import { element, find } from './elements.ts';

const REFRESH_MS = 2000;
/** Fields in the row of a document in a collection, and the length at which each is cut. */
const ROW_FIELDS = 4;
const ROW_LENGTH = 60;

const query = new URLSearchParams(location.search);
const path = (query.get('path') ?? '').split('/').filter((segment) => segment !== '');
const status = find('status', HTMLParagraphElement);
const article = find('place', HTMLElement);
let shown = '';

find('path', HTMLInputElement).value = path.join('/');
find('trail', HTMLElement).replaceChildren(...trail());
document.title = `${path.at(-1) ?? 'Data'} · local Firestore`;
setInterval(() => {
  if (!document.hidden) void refresh();
}, REFRESH_MS);
void refresh();

async function refresh(): Promise<void> {
  try {
    const response = await fetch(`/api/data?${query.toString()}`);
    if (!response.ok) throw new Error(String(response.status));
    const place = (await response.json()) as Place;
    const state = JSON.stringify(place);
    // Drawn only when it has changed, so that focus and selection stay.
    if (state !== shown) show(place);
    shown = state;
  } catch {
    status.textContent = 'The local stack does not answer.';
  }
}

function show(place: Place): void {
  status.textContent = summaryOf(place);
  switch (place.kind) {
    case 'root':
      article.replaceChildren(...collectionList(place.collections));
      break;
    case 'collection':
      article.replaceChildren(documentTable(place.documents), ...nextPage(place.next));
      break;
    case 'document':
      article.replaceChildren(fieldTable(place.document.fields), ...collectionList(place.collections));
  }
}

function summaryOf(place: Place): string {
  switch (place.kind) {
    case 'root':
      return count(place.collections.length, 'collection');
    case 'collection':
      return `${count(place.documents.length, 'document')}${place.next === null ? '' : ' on this page'}`;
    case 'document':
      return place.document.updatedAt === null
        ? 'This document does not exist.'
        : `Written at ${new Date(place.document.updatedAt).toLocaleString()}`;
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function trail(): (Node | string)[] {
  const steps = path.map((segment, index) => linkTo(path.slice(0, index + 1).join('/'), segment));
  return [linkTo('', 'documents'), ...steps.flatMap((step) => [' / ', step])];
}

function linkTo(target: string, label: string): HTMLAnchorElement {
  const link = element('a', '', [label]);
  link.href = target === '' ? '/data' : `/data?path=${encodeURIComponent(target)}`;
  return link;
}

function collectionList(ids: readonly string[]): HTMLElement[] {
  if (ids.length === 0) return [];
  const rows = ids.map((id) => element('li', '', [linkTo([...path, id].join('/'), id)]));
  return [element('h2', '', ['Collections']), element('ul', 'collections', rows)];
}

function documentTable(documents: readonly ShownDocument[]): HTMLTableElement {
  const rows = documents.map(({ path: target, updatedAt, fields }) => {
    const id = linkTo(target, target.slice(target.lastIndexOf('/') + 1));
    const summary =
      updatedAt === null ? '(does not exist)' : fields.slice(0, ROW_FIELDS).map(inRow).join(' · ');
    return row(id, summary);
  });
  return table(['Id', 'Fields'], rows);
}

const inRow = ({ name, value }: ShownField) => `${name}: ${cut(textOf(value))}`;

function cut(text: string): string {
  return text.length > ROW_LENGTH ? `${text.slice(0, ROW_LENGTH)}…` : text;
}

function textOf(value: Shown): string {
  if (value.kind === 'list') return `[${value.items.map(textOf).join(', ')}]`;
  if (value.kind === 'map') return `{${value.fields.map(({ name }) => name).join(', ')}}`;
  return value.text;
}

function fieldTable(fields: readonly ShownField[]): HTMLTableElement {
  return table(
    ['Field', 'Value'],
    fields.map(({ name, value }) => row(name, valueOf(value))),
  );
}

function valueOf(value: Shown): HTMLElement {
  switch (value.kind) {
    case 'list':
      return element(
        'ol',
        'nested',
        value.items.map((item) => element('li', '', [valueOf(item)])),
      );
    case 'map':
      return fieldTable(value.fields);
    case 'reference':
      return value.path === '' ? element('span', 'reference', [value.text]) : linkTo(value.path, value.text);
    default:
      return element('span', value.kind, [value.text]);
  }
}

function table(headings: readonly string[], rows: HTMLElement[]): HTMLTableElement {
  const heads = headings.map((heading) => element('th', '', [heading]));
  for (const head of heads) head.scope = 'col';
  return element('table', '', [element('thead', '', [element('tr', '', heads)]), element('tbody', '', rows)]);
}

function row(name: Node | string, content: Node | string): HTMLTableRowElement {
  const head = element('th', '', [name]);
  head.scope = 'row';
  return element('tr', '', [head, element('td', '', [content])]);
}

function nextPage(token: string | null): HTMLElement[] {
  if (token === null) return [];
  const link = element('a', '', ['Next page']);
  link.href = `/data?${new URLSearchParams({ path: path.join('/'), pageToken: token }).toString()}`;
  return [element('p', '', [link])];
}
