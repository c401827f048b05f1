import { Field, textOf } from '../ui/form.tsx';

/** Asks for the code that an authenticator app shows. */
export function CodeField() {
  return (
    <Field
      label="Code"
      name="code"
      autocomplete="one-time-code"
      inputMode="numeric"
      required
      maxLength={12}
      hint="The digits that your authenticator app shows now."
    />
  );
}

/** The code of a form with `CodeField`, without the space that some apps show. */
export const codeOf = (data: FormData): string => textOf(data, 'code').replaceAll(/\s/g, '');
