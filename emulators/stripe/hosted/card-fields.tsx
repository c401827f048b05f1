import { SHOWN_CARDS } from '../billing/cards.ts';
import { Field, Hidden } from './fields.tsx';
import type { Problem } from './fields.tsx';
import { page } from './page.tsx';

interface CardProps {
  /** The typed values, by the names of the fields. */
  values: ReadonlyMap<string, string>;
  problem: Problem | null;
}

/** The fields of a card, and the test cards to try. */
export function CardFields({ values, problem }: CardProps) {
  const field = (name: string) =>
    ({ name, value: values.get(name) ?? '', inputmode: 'numeric', required: true, problem }) as const;
  return (
    <fieldset>
      <legend>Card</legend>
      <Field {...field('card_number')} label="Card number" autocomplete="cc-number" />
      <div class="row">
        <div>
          <Field {...field('card_expiry')} label="Expiry (MM / YY)" autocomplete="cc-exp" />
        </div>
        <div>
          <Field {...field('card_cvc')} label="CVC" autocomplete="cc-csc" />
        </div>
      </div>
      <details>
        <summary>Test cards</summary>
        <ul>
          {SHOWN_CARDS.map(([number, effect]) => (
            <li key={number}>
              <code>{number}</code> {effect}
            </li>
          ))}
        </ul>
      </details>
    </fieldset>
  );
}

/** The bank's page for authentication. Its form sends everything that was typed before. */
export function authenticationPage(
  action: string,
  form: URLSearchParams,
  leadsTo: readonly (string | null)[],
): Response {
  const values = [...form].filter(([name]) => name !== 'authentication');
  return page(
    200,
    'Confirm your payment',
    <>
      <h1>Confirm your payment</h1>
      <p>Your bank wants to know that it is you (3D Secure).</p>
      <form method="post" action={action}>
        <Hidden values={new Map(values)} />
        <button type="submit" name="authentication" value="complete">
          Complete authentication
        </button>
        <button type="submit" name="authentication" value="fail" class="quiet">
          Fail authentication
        </button>
      </form>
    </>,
    leadsTo,
  );
}
