export type Child = Node | string;

type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Makes an element. Strings become text and never markup; `true` sets an attribute without a value and `false` leaves it
 * out.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/** An icon-less button that runs an action; while that lasts it is busy and ignores clicks. */
export function button(
  label: string,
  action: () => Promise<void> | void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const element = h('button', { type: 'button', class: 'button', ...attributes }, label);
  element.addEventListener('click', () => {
    void whileBusy(element, action);
  });
  return element;
}

/** Runs an action unless the one before still runs. The control keeps the focus, which `disabled` would take from it. */
export async function whileBusy(control: HTMLElement, action: () => Promise<void> | void): Promise<void> {
  if (control.ariaDisabled === 'true') return;
  control.ariaDisabled = 'true';
  try {
    await action();
  } finally {
    control.ariaDisabled = null;
  }
}

/** A message in a box. */
export function notice(text: string, kind: 'good' | 'bad' | 'plain' = 'plain'): HTMLElement {
  return h('p', { class: `notice ${kind}` }, text);
}
