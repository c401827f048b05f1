import { createContext, type ComponentChildren, type InputHTMLAttributes } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { fieldErrorsOf, type FieldErrors } from '../errors.ts';
import { useAction } from './action.ts';
import { Button, type ButtonProps } from './button.tsx';
import { invalidFields, focusFirst, hasAll, withoutField } from './field-errors.ts';
import { useFocusHeir } from './focus.ts';
import { Message, type Hints } from './message.tsx';

/** The errors of the form around a field. */
const FormErrors = createContext<FieldErrors>({});

interface FormProps {
  children: ComponentChildren;
  submit: string;
  class?: string;
  /** The kind of the button that submits. */
  kind?: ButtonProps['kind'];
  hints?: Hints;
  /** Its error is shown in the form. A text that it returns is shown as success, and the form is emptied. */
  onSubmit: (data: FormData) => Promise<string | undefined> | Promise<void>;
}

/**
 * A form that is sent once at a time and shows the result. An error that concerns fields is shown beside them, and the
 * first one gets the focus.
 */
export function Form({ children, submit, onSubmit, hints, kind = 'primary', ...rest }: FormProps) {
  const { busy, outcome, run } = useAction();
  const [errors, setErrors] = useState<FieldErrors>({});
  const send = async (form: HTMLFormElement) => {
    try {
      const success = await onSubmit(new FormData(form));
      if (typeof success === 'string') form.reset();
      return success ?? undefined;
    } catch (error) {
      const refused = fieldErrorsOf(error);
      if (!hasAll(form, refused)) throw error;
      setErrors(refused);
      focusFirst(form, refused);
      return undefined;
    }
  };
  return (
    <form
      noValidate
      class={rest.class}
      onInput={({ target }) => {
        setErrors(withoutField(errors, target));
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const invalid = invalidFields(form);
        setErrors(invalid);
        focusFirst(form, invalid);
        if (Object.keys(invalid).length === 0) void run(() => send(form));
      }}
    >
      <FormErrors.Provider value={errors}>{children}</FormErrors.Provider>
      <Button type="submit" kind={kind} busy={busy}>
        {submit}
      </Button>
      <Message outcome={outcome} hints={hints} />
    </form>
  );
}

interface LabeledProps {
  id: string;
  label: string;
  hint?: string | undefined;
  error: string | undefined;
  children: ComponentChildren;
}

/** A field with its label, its hint and its error. */
function Labeled({ id, label, hint, error, children }: LabeledProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The error of a field, and the attributes by which screen readers find it. */
function useFieldError(id: string, name: string | undefined, hint?: string) {
  const error = useContext(FormErrors)[name ?? ''];
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  const attributes = {
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
  };
  return { error, attributes };
}

export type FieldProps = InputHTMLAttributes & {
  label: string;
  name: string;
  hint?: string;
};

/** A labeled input. */
export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  const { error, attributes } = useFieldError(id, input.name, hint);
  const element = useRef<HTMLInputElement>(null);
  useFocusHeir(element);
  return (
    <Labeled id={id} label={label} hint={hint} error={error}>
      <input ref={element} id={id} {...attributes} {...input} />
    </Labeled>
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
  /** The current value, for a choice that takes effect immediately. */
  value?: Value;
  onSelect?: (value: Value) => void;
  /** Whether the option without a value is refused. */
  required?: boolean;
}

/** A labeled choice. */
export function Select<Value extends string>({ label, options, onSelect, ...select }: SelectProps<Value>) {
  const id = useId();
  const { error, attributes } = useFieldError(id, select.name);
  return (
    <Labeled id={id} label={label} error={error}>
      <select
        id={id}
        {...attributes}
        {...select}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([option]) => option === currentTarget.value);
          if (chosen !== undefined) onSelect?.(chosen[0]);
        }}
      >
        <Options options={options} />
      </select>
    </Labeled>
  );
}

/** The text of a field. Empty if the form has no such field. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
