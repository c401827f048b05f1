import { Field, type FieldProps } from './form.tsx';

/**
 * A field for the address of a person. Browsers check it by HTML's definition, and by the pattern for a dot in the
 * domain, as the backend does.
 */
export function EmailField(
  props: Pick<FieldProps, 'label' | 'autocomplete' | 'placeholder' | 'defaultValue'>,
) {
  return <Field {...props} name="email" type="email" required maxLength={254} pattern=".+@.+\..+" />;
}
