import { BILLING } from '../texts/en/billing.tsx';
import { textsOf } from '../texts/language.ts';

export const billingTexts = textsOf('billing', BILLING);
