import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Message, type Hints } from './message.tsx';

interface FormProps {
  children: ComponentChildren;
  submit: string;
  class?: string;
  /** Not what the page is for. */
  minor?: boolean;
  hints?: Hints;
  /** Its error is shown in the form; what it returns, if anything, is shown as success, and the form is emptied. */
  onSubmit: (data: FormData) => Promise<string | undefined> | Promise<void>;
}

/** A form that is sent once at a time and says how it went. */
export function Form({ children, submit, onSubmit, hints, minor = false, ...rest }: FormProps) {
  const { busy, outcome, run } = useAction();
  return (
    <form
      class={rest.class}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void run(async () => {
          const success = await onSubmit(new FormData(form));
          if (typeof success === 'string') form.reset();
          return success ?? undefined;
        });
      }}
    >
      {children}
      <Button type="submit" kind={minor ? 'plain' : 'primary'} busy={busy}>
        {submit}
      </Button>
      <Message outcome={outcome} hints={hints} />
    </form>
  );
}

type FieldProps = InputHTMLAttributes & {
  label: string;
  name: string;
  hint?: string;
};

/** A labelled input. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...input} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type OptionList<Value extends string> = readonly (readonly [value: Value, text: string])[];

/** The options of a choice. */
export function Options({ options }: { options: OptionList<string> }) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

interface SelectProps<Value extends string> {
  label: string;
  options: OptionList<Value>;
  /** In a form. */
  name?: string;
  /** The current value, for a choice that takes effect at once. */
  value?: Value;
  onSelect?: (value: Value) => void;
}

/** A labelled choice. */
export function Select<Value extends string>({ label, options, onSelect, ...select }: SelectProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        {...select}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([option]) => option === currentTarget.value);
          if (chosen !== undefined) onSelect?.(chosen[0]);
        }}
      >
        <Options options={options} />
      </select>
    </div>
  );
}

/** The text of a field, empty when there is none. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
