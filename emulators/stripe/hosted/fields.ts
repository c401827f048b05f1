import { html } from './html.ts';
import type { Markup } from './html.ts';

interface Field {
  name: string;
  label: string;
  value: string;
  type?: 'text' | 'email' | 'number';
  autocomplete?: string;
  inputmode?: 'text' | 'numeric' | 'email';
  required?: boolean;
  min?: number;
  max?: number;
}

/** What is wrong with a form, and with which of its fields (null: with all of it). */
export interface Problem {
  message: string;
  field: string | null;
}

/** A labelled input; the one that has the problem is marked as invalid and described by it. */
export function field(given: Field, problem: Problem | null = null): Markup {
  const { name, label, value, type = 'text', autocomplete = 'off', inputmode = 'text', min, max } = given;
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      inputmode="${inputmode}"
      value="${value}"
      ${given.required ? html` required` : null}
      ${min === undefined ? null : html` min="${min}"`}
      ${max === undefined ? null : html` max="${max}"`}
      ${problem?.field === name ? html` aria-invalid="true" aria-describedby="problem"` : null}
    />`;
}

/** A labelled choice of values. */
export function choice(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Markup {
  return html`<label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen ? html` selected` : null}>${text}</option>`,
      )}
    </select>`;
}

/** The problem, told to screen readers at once. */
export function alert(problem: Problem | null): Markup | null {
  return problem && html`<p class="alert" id="problem" role="alert">${problem.message}</p>`;
}

/** Values that a form carries along unseen. */
export function hidden(values: ReadonlyMap<string, string>): Markup[] {
  return [...values].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
