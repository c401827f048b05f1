import { button, h } from '../dom.ts';
import { messagePlace, outcomeOf, report } from '../form.ts';

/**
 * A link to hand on: selected when focused, and a button that copies it.
 *
 * @param title shown above it, such as `label` as a link where opening it is of use to the reader as well
 */
export function copyField(label: string, url: string, title: HTMLElement): HTMLElement {
  const messages = messagePlace();
  const input = h('input', { readonly: true, value: url, 'aria-label': `Link: ${label}` });
  input.addEventListener('focus', () => {
    input.select();
  });
  const copy = button(
    'Copy',
    async () => {
      const outcome = await outcomeOf(async () => {
        await navigator.clipboard.writeText(url);
        return 'Copied.';
      });
      report(messages, outcome);
    },
    { class: 'button', 'aria-label': `Copy link: ${label}` },
  );
  return h('div', { class: 'stack-small' }, title, h('div', { class: 'copy' }, input, copy), messages);
}
