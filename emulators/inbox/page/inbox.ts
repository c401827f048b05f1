/** The script of the inbox's page: everything that a mail says becomes text, never markup. */
import type { InboxMessage } from '../messages.ts';
import { element, find } from './elements.ts';

const REFRESH_MS = 2000;

const filter = find('filter', HTMLInputElement);
const list = find('list', HTMLOListElement);
const status = find('status', HTMLParagraphElement);
const article = find('message', HTMLElement);

let selected: string | undefined;
let shown = '';
let reading = '';

filter.value = new URLSearchParams(location.search).get('to') ?? '';
filter.addEventListener('input', () => void refresh());
setInterval(() => {
  if (!document.hidden) void refresh();
}, REFRESH_MS);
void refresh();

async function refresh(): Promise<void> {
  const wanted = filter.value;
  try {
    const response = await fetch(`/api/messages?to=${encodeURIComponent(wanted)}`);
    if (!response.ok) throw new Error(String(response.status));
    const { messages } = (await response.json()) as { messages: InboxMessage[] };
    if (wanted === filter.value) show(messages);
  } catch {
    status.textContent = 'The local stack does not answer.';
  }
}

/** Draws only what has changed, so that focus and scrolling stay. */
function show(messages: InboxMessage[]): void {
  const state = JSON.stringify([messages, selected]);
  if (state === shown) return;
  shown = state;
  status.textContent = messages.length === 1 ? '1 message' : `${messages.length} messages`;
  const focused = document.activeElement?.id;
  list.replaceChildren(...messages.map((message) => rowOf(message, messages)));
  const open = messages.find(({ id }) => id === selected);
  if (open !== undefined) read(open);
  if (focused?.startsWith('row-') === true) document.getElementById(focused)?.focus();
}

function rowOf(message: InboxMessage, messages: InboxMessage[]): HTMLLIElement {
  const button = element('button', '', [
    element('strong', '', [message.subject || '(no subject)']),
    element('span', 'soft', [message.to.join(', ')]),
    element('span', 'soft', [new Date(message.at).toLocaleString(), ' ', badgeOf(message)]),
  ]);
  button.id = `row-${message.id}`;
  button.setAttribute('aria-current', String(message.id === selected));
  button.addEventListener('click', () => {
    selected = message.id;
    show(messages);
  });
  return element('li', '', [button]);
}

/** Shows a message; again only when it has changed, such as the state of its delivery. */
function read(message: InboxMessage): void {
  const state = JSON.stringify(message);
  if (state === reading) return;
  reading = state;
  const to = message.to.join(', ');
  article.replaceChildren(
    element('h2', '', [message.subject || '(no subject)']),
    element('p', 'soft', ['to ', to, ' · ', new Date(message.at).toLocaleString(), ' ', badgeOf(message)]),
    ...(message.error === null ? [] : [element('p', 'error', [message.error])]),
    element('p', 'links', message.links.map(linkTo)),
    ...(message.html === null ? [] : [frameOf(message)]),
    element('pre', '', [message.text]),
  );
}

function badgeOf({ source, state }: InboxMessage): HTMLElement {
  const label = source === 'auth' ? 'Firebase Auth' : (state ?? 'new');
  return element('b', `badge ${source === 'auth' ? '' : (state ?? '')}`, [label]);
}

function linkTo(url: string): HTMLAnchorElement {
  const link = element('a', '', [url]);
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}

function frameOf({ id, subject }: InboxMessage): HTMLIFrameElement {
  const frame = element('iframe', '', []);
  frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  frame.title = subject;
  frame.src = `/messages/${encodeURIComponent(id)}`;
  return frame;
}
