import { signInTexts } from './texts.ts';

/** Asks somebody who is signed in already before a link of the backend is opened. See `needsConfirmation`. */
export function ConfirmCallback({ callback }: { callback: URL }) {
  const texts = signInTexts().confirm;
  return (
    <div class="card narrow centered">
      <h1>{texts.title}</h1>
      <p>{texts.lead}</p>
      <div class="actions">
        <a class="button primary" href={callback.href}>
          {texts.proceed}
        </a>
        <a class="button" href="/dashboard">
          {texts.dashboard}
        </a>
      </div>
    </div>
  );
}
