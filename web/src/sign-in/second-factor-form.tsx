import type { MultiFactorResolver } from 'firebase/auth';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { CodeField, codeOf } from './code-field.tsx';
import type { SignInProps } from './password-forms.tsx';
import { signInSecond } from './second-factor.ts';

interface SecondFactorFormProps extends Pick<SignInProps, 'onSignedIn'> {
  resolver: MultiFactorResolver;
  onBack: () => void;
}

/** The second step of a sign-in. */
export function SecondFactorForm({ resolver, onSignedIn, onBack }: SecondFactorFormProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const signIn = async (data: FormData) => {
    const { user } = await signInSecond(resolver, codeOf(data));
    await onSignedIn(user);
  };
  return (
    <div class="card narrow centered">
      <h1 tabIndex={-1} ref={heading}>
        Enter your code
      </h1>
      <Form submit="Sign in" onSubmit={signIn}>
        <CodeField />
      </Form>
      <div class="actions">
        <Button kind="link" onClick={onBack}>
          Back to sign-in
        </Button>
      </div>
    </div>
  );
}
