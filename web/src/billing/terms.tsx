import { useId } from 'preact/hooks';
import { Select } from '../ui/form.tsx';
import type { Interval } from './offers.ts';
import { billingTexts } from './texts.ts';

interface TermsProps {
  interval: Interval;
  onInterval: (interval: Interval) => void;
  /** The part of the price that paying by the year saves at most, in percent; 0 if it saves nothing. */
  saving: number;
  /** The choice of currencies; empty or one if there is nothing to choose. */
  currencies: readonly string[];
  currency: string | undefined;
  onCurrency: (currency: string) => void;
}

/** The choice of a visitor to pay by the month or by the year, and in which currency. */
export function Terms({ interval, onInterval, saving, currencies, currency, onCurrency }: TermsProps) {
  const name = useId();
  const texts = billingTexts().terms;
  return (
    <div class="terms">
      <fieldset class="toggle">
        <legend class="visually-hidden">{texts.pay}</legend>
        {(['month', 'year'] as const).map((value) => (
          <label key={value}>
            <input
              type="radio"
              class="visually-hidden"
              name={name}
              value={value}
              checked={interval === value}
              onChange={() => {
                onInterval(value);
              }}
            />
            <span>
              {texts[value]}
              {value === 'year' && saving > 0 && <span class="saving"> {texts.saving(saving)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {currencies.length > 1 && (
        <Select
          label={texts.currency}
          value={currency ?? currencies[0] ?? ''}
          options={currencies.map((code) => [code, code.toUpperCase()])}
          onSelect={onCurrency}
        />
      )}
    </div>
  );
}
