import { expect, it } from 'vitest';
import { comparisonOf, labelOf } from './comparison.ts';

const plan = (seats: number, own: object = {}, entitlements: string[] = []) => ({
  limits: { seats, storageMegabytes: 10_000, fileMegabytes: 500, ...own },
  entitlements,
});

it('plans are compared by seats, storage and the largest file', () => {
  expect(comparisonOf([plan(3), plan(1_000)])).toEqual([
    { label: 'Seats in a team', cells: ['3', '1,000'] },
    { label: 'Storage', cells: ['10 GB', '10 GB'] },
    { label: 'Largest file', cells: ['500 MB', '500 MB'] },
  ]);
});

it('a plan of a person is compared without seats', () => {
  expect(comparisonOf([plan(3)], false).map(({ label }) => label)).toEqual(['Storage', 'Largest file']);
});

it('limits and entitlements of the app have a row each', () => {
  const plans = [
    plan(1, { projects: 1, support: 'mail', sso: false }),
    plan(1, { projects: 2_000, support: 'phone', sso: true }, ['export']),
  ];
  expect(comparisonOf(plans).slice(3)).toEqual([
    { label: 'Projects', cells: ['1', '2,000'] },
    { label: 'Support', cells: ['mail', 'phone'] },
    { label: 'Sso', cells: [false, true] },
    { label: 'Export', cells: [false, true] },
  ]);
});

it.each([
  ['prioritySupport', 'Priority support'],
  ['priority-support', 'Priority support'],
  ['api_v2Calls', 'Api v2 calls'],
])('the name %j is shown as %j', (name, label) => {
  expect(labelOf(name)).toBe(label);
});
