import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { now, subscription } from '../testing/subscriptions.ts';
import { requireRecentPreview } from './proration-date.ts';

const seconds = now.getTime() / 1000;

/** The latest invoice was made so many seconds ago. */
const invoiceBefore = (age: number) =>
  subscription([], { latest_invoice: { created: seconds - age } as Stripe.Invoice });

const DAY = 86_400;

/** The preview was made so many seconds ago. */
const requireOf = (age: number, latest = invoiceBefore(DAY)) => {
  requireRecentPreview({ now: () => now }, { subscription: latest }, seconds - age);
};

describe('the date of a preview', () => {
  test.each([0, 1, 300, -5])('is accepted after %d seconds', (age) => {
    expect(() => {
      requireOf(age);
    }).not.toThrow();
  });

  test.each([301, DAY, -6, -DAY])('is refused after %d seconds', (age) => {
    expect(() => {
      requireOf(age);
    }).toThrow(expect.objectContaining({ code: 'preview_expired', kind: 'caller' }));
  });

  test('is refused if an invoice was made afterwards', () => {
    expect(() => {
      requireOf(100, invoiceBefore(99));
    }).toThrow(expect.objectContaining({ code: 'preview_expired' }));
    expect(() => {
      requireOf(100, invoiceBefore(100));
    }).not.toThrow();
  });

  test('may be missing', () => {
    expect(() => {
      requireRecentPreview({ now: () => now }, { subscription: invoiceBefore(0) }, undefined);
    }).not.toThrow();
  });
});
