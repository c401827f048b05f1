import type { FieldErrors } from '../errors.ts';

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (element): element is Control =>
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement,
  );

/** The fields that the browser finds wrong, with its message in the language of the visitor. */
export function invalidFields(form: HTMLFormElement): FieldErrors {
  const wrong = controlsOf(form).filter(({ validity }) => !validity.valid);
  return Object.fromEntries(wrong.map(({ name, validationMessage }) => [name, validationMessage]));
}

/** True if there are errors and the form has a field for each. Otherwise the visitor could not see all of them. */
export function hasAll(form: HTMLFormElement, errors: FieldErrors): boolean {
  const names = new Set(controlsOf(form).map(({ name }) => name));
  const wrong = Object.keys(errors);
  return wrong.length > 0 && wrong.every((name) => names.has(name));
}

/** A screen reader reads a field with its error when the field gets the focus. */
export function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  controlsOf(form)
    .find(({ name }) => name in errors)
    ?.focus();
}

/** The errors without the error of one field, which the visitor is changing. */
export function withoutField(errors: FieldErrors, changed: EventTarget | null): FieldErrors {
  if (!(changed instanceof HTMLInputElement) || !(changed.name in errors)) return errors;
  return Object.fromEntries(Object.entries(errors).filter(([name]) => name !== changed.name));
}
