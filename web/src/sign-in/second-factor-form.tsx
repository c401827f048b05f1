import type { MultiFactorResolver } from 'firebase/auth';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { CodeField, codeOf } from './code-field.tsx';
import type { SignInProps } from './password-forms.tsx';
import { signInSecond } from './second-factor.ts';
import { signInTexts } from './texts.ts';

interface SecondFactorFormProps extends Pick<SignInProps, 'onSignedIn'> {
  resolver: MultiFactorResolver;
  onBack: () => void;
}

/** The second step of a sign-in. */
export function SecondFactorForm({ resolver, onSignedIn, onBack }: SecondFactorFormProps) {
  const texts = signInTexts();
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
        {texts.code.title}
      </h1>
      <Form submit={texts.signIn} onSubmit={signIn}>
        <CodeField />
      </Form>
      <div class="actions">
        <Button kind="link" onClick={onBack}>
          {texts.back}
        </Button>
      </div>
    </div>
  );
}
