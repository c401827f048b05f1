import { h, notice, whileBusy, type Child } from './dom.ts';
import { messageOf } from './errors.ts';

type InputAttributes = Readonly<Record<string, string | number | boolean>>;

let lastId = 0;

/** A labelled input. */
export function field(label: string, name: string, attributes: InputAttributes, hint?: string): HTMLElement {
  return labelled(label, hint, (ids) => h('input', { name, ...attributes, ...ids }));
}

/** A labelled choice of [value, text]. */
export function choice(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
): HTMLElement {
  const items = options.map(([value, text]) => h('option', { value }, text));
  return labelled(label, undefined, (ids) => h('select', { name, ...ids }, ...items));
}

function labelled(
  label: string,
  hint: string | undefined,
  control: (ids: InputAttributes) => HTMLElement,
): HTMLElement {
  const id = `field-${++lastId}`;
  const hintId = `${id}-hint`;
  const parts: Child[] = [
    h('label', { for: id }, label),
    control({ id, ...(hint === undefined ? {} : { 'aria-describedby': hintId }) }),
  ];
  if (hint !== undefined) parts.push(h('p', { class: 'hint', id: hintId }, hint));
  return h('div', { class: 'field' }, ...parts);
}

interface FormOptions {
  fields: Child[];
  submit: string;
  class?: string;
  /** Its error is shown in the form; what it returns, if anything, is shown as success. */
  onSubmit: (data: FormData) => Promise<string | undefined>;
}

/** A form that is sent once at a time and says how it went. */
export function form({ fields, submit, onSubmit, ...options }: FormOptions): HTMLFormElement {
  const messages = messagePlace();
  const submitButton = h('button', { class: 'button primary', type: 'submit' }, submit);
  const element = h('form', { class: options.class ?? '' }, ...fields, submitButton, messages);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submitButton, async () => {
      report(messages, undefined);
      report(messages, await outcomeOf(() => onSubmit(new FormData(element))));
    });
  });
  return element;
}

/** Runs what a person asked for and tells how it went, as a message to show. */
export async function outcomeOf(action: () => Promise<string | undefined>): Promise<HTMLElement | undefined> {
  try {
    const success = await action();
    return success === undefined ? undefined : notice(success, 'good');
  } catch (error) {
    const text = messageOf(error);
    return text === '' ? undefined : notice(text, 'bad');
  }
}

/** Where messages will appear: it must be on the page before them, or screen readers do not speak them. */
export function messagePlace(): HTMLElement {
  return h('div', { class: 'form-message', 'aria-live': 'polite' });
}

/** Puts a message where there may be an older one. */
export function report(place: HTMLElement, message: HTMLElement | undefined): void {
  place.replaceChildren(...(message === undefined ? [] : [message]));
}

/** The text of a field, empty when there is none. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
