import { createHash } from 'node:crypto';

/** HTML that is safe to send: made by `html` only. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insertion = string | number | Markup | readonly Markup[] | null;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose insertions are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...insertions: Insertion[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...insertions.map(render)));
}

function render(insertion: Insertion): string {
  if (insertion === null) return '';
  if (insertion instanceof Markup) return insertion.text;
  if (typeof insertion === 'object') return insertion.map(({ text }) => text).join('');
  return String(insertion).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1a1f36; --soft: #5b6178; --line: #e3e8ee; --page: #f6f8fa; --card: #fff;
  --accent: #4f46e5; --on-accent: #fff; --danger: #b3093c; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef0f6; --soft: #a7adc2; --line: #33384d; --page: #12141d;
  --card: #1b1e2b; --accent: #a5a0ff; --on-accent: #12141d; --danger: #ff8fab; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
main { width: min(100%, 28rem); background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 2rem; box-shadow: 0 8px 30px rgb(0 0 0 / 8%); }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 0; }
p { margin: .5rem 0; }
.badge { display: inline-block; margin: 0 0 1rem; padding: .1rem .6rem; border: 1px solid var(--line);
  border-radius: 99px; color: var(--soft); font-size: .8rem; }
.soft { color: var(--soft); }
.price { font-size: 2rem; font-weight: 650; letter-spacing: -.02em; }
.price small { font-size: 1rem; font-weight: 400; color: var(--soft); }
dl { margin: 1.25rem 0; border-top: 1px solid var(--line); }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; text-align: right; }
section { padding: 1rem 0; border-top: 1px solid var(--line); margin-top: 1rem; }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input, select { width: 100%; font: inherit; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: 8px;
  background: var(--card); color: var(--ink); }
button, .button { display: block; width: 100%; margin-top: 1rem; padding: .75rem 1rem; border: 1px solid transparent;
  border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; }
.quiet { background: none; color: var(--ink); border-color: var(--soft); }
.danger { background: none; color: var(--danger); border-color: var(--danger); }
button:focus-visible, a:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0 0; padding: 0 1rem 1rem; }
legend { font-weight: 600; padding: 0 .4rem; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.inline { display: grid; grid-template-columns: 1fr auto; gap: .75rem; align-items: end; }
.inline button { margin: 0; padding: .6rem 1rem; width: auto; }
details { margin-top: .75rem; color: var(--soft); font-size: .9rem; }
details ul { margin: .5rem 0 0; padding-left: 1.2rem; }
[aria-invalid] { border-color: var(--danger); }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); }
.option { display: flex; gap: .6rem; align-items: center; font-weight: 400; }
.option input { width: auto; accent-color: var(--accent); }
.alert { border-left: 4px solid var(--danger); padding-left: .75rem; }
`;

/** Kept in one piece: a space more inside the element and the policy's hash would not fit. */
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * A whole page. Its policy allows no script, no frame and nothing from outside. Forms lead to this server. A form whose answer
 * leads back to the app (`leadsTo`) has no such limit: browsers apply it to all redirects that follow, and the app may redirect
 * to another origin or to the link of a phone app.
 */
export function page(
  status: number,
  title: string,
  content: Markup,
  leadsTo: readonly (string | null)[] = [],
  headers: Record<string, string> = {},
): Response {
  const formAction = leadsTo.some((url) => url !== null) ? '' : "form-action 'self'; ";
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <p class="badge">Local Stripe · no money moves</p>
          ${content}
        </main>
      </body>
    </html>`;
  return new Response(document.text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ${formAction}base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

/** A page that says one thing, and where to go on. */
export function notice(
  status: number,
  title: string,
  message: string,
  link: { href: string; text: string } | null,
): Response {
  const button = link && html`<a class="button quiet" href="${link.href}">${link.text}</a>`;
  return page(
    status,
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      ${button}`,
  );
}

/** Goes to another page by GET, whatever the method was. */
export function seeOther(url: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: new URL(url).href, 'cache-control': 'no-store' },
  });
}
