import type { InputHTMLAttributes } from 'preact';

/** A problem with a field of a form, or (null) with the whole form. */
export interface Problem {
  message: string;
  field: string | null;
}

interface FieldProps {
  name: string;
  label: string;
  value: string;
  type?: 'text' | 'email' | 'number';
  autocomplete?: string;
  inputmode?: 'text' | 'numeric' | 'email';
  required?: boolean;
  min?: number;
  max?: number;
  problem?: Problem | null;
}

/** A labeled input. A field with a problem is marked as invalid and described by the alert. */
export function Field({ name, label, value, problem = null, ...rest }: FieldProps) {
  const { type = 'text', autocomplete = 'off', inputmode = 'text', required = false, min, max } = rest;
  const invalid = problem?.field === name;
  // The types of Preact have one type for each kind of input, and none for a choice of kinds.
  const attributes = {
    id: name,
    name,
    type,
    autocomplete,
    inputmode,
    value,
    required,
    min,
    max,
    'aria-invalid': invalid || undefined,
    'aria-describedby': invalid ? 'problem' : undefined,
  } as InputHTMLAttributes;
  return (
    <>
      <label for={name}>{label}</label>
      <input {...attributes} />
    </>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  chosen: string;
}

/** A labeled list of values to choose from. */
export function Choice({ name, label, options, chosen }: ChoiceProps) {
  return (
    <>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
}

/** The message of a problem, which screen readers announce immediately. */
export function Alert({ problem }: { problem: Problem | null }) {
  return (
    problem && (
      <p class="alert" id="problem" role="alert">
        {problem.message}
      </p>
    )
  );
}

/** Values that a form sends without showing them. */
export function Hidden({ values }: { values: Iterable<readonly [name: string, value: string]> }) {
  return (
    <>
      {[...values].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** A name and a value in a list of facts. */
export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
