import { createHash } from 'node:crypto';

/** The style sheet of all hosted pages. */
export const STYLE = `
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

/** Its hash for the pages' policy. */
export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
