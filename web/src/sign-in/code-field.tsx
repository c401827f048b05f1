import { Field, textOf } from '../ui/form.tsx';
import { signInTexts } from './texts.ts';

/** Asks for the code that an authenticator app shows. */
export function CodeField() {
  const { label, hint } = signInTexts().code;
  return (
    <Field
      label={label}
      name="code"
      autocomplete="one-time-code"
      inputMode="numeric"
      required
      maxLength={12}
      hint={hint}
    />
  );
}

/** The code of a form with `CodeField`, without the space that some apps show. */
export const codeOf = (data: FormData): string => textOf(data, 'code').replaceAll(/\s/g, '');
