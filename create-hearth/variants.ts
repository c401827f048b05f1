import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/** Plans with other names, amounts, limits and another currency than those of the template. */
const OTHER_PLANS = join(import.meta.dirname, 'testing/plans.json');

/** A project that has to pass its tests. */
export interface Variant {
  /** The options that make it. */
  options: readonly string[];
  /** Whether its owner has written other plans. */
  hasOtherPlans: boolean;
}

const named = ['--yes', '--name', 'Light & House'];

/** The projects that are tested. */
export const VARIANTS = {
  unchanged: { options: ['--yes'], hasOtherPlans: false },
  'other-plans': { options: named, hasOtherPlans: true },
  'other-plans-without-pages': { options: [...named, '--no-pages'], hasOtherPlans: true },
  'one-paid-plan': { options: [...named, '--plans', 'free,business'], hasOtherPlans: false },
  'free-without-pages': { options: [...named, '--plans', 'free', '--no-pages'], hasOtherPlans: false },
} satisfies Record<string, Variant>;

/**
 * Writes the plans of a variant into a new project, as its owner does.
 *
 * @param run runs a program of the project, in which packages are installed
 */
export async function writePlans(
  project: string,
  { hasOtherPlans }: Variant,
  run: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  if (!hasOtherPlans) return;
  await cp(OTHER_PLANS, join(project, 'functions/plans.json'));
  await run('scripts/plan-tables.ts');
}
