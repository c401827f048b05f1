import type { Page } from 'playwright-core';
import { planViewOf, type PlanView } from '../../../functions/src/billing/catalogue/listing/plan.view.ts';
import { SAMPLE_PLANS } from '../../../functions/src/testing/sample-plans.ts';
import { PROJECT_PLANS } from '../../support/plans.ts';

/** The plans of SAMPLE_PLANS as the API answers them. The free plan has the slug that sessions of the stack name. */
const VIEWS = SAMPLE_PLANS.map((plan, index) => ({
  ...planViewOf(plan, new Map(), 14),
  ...(index === 0 && { slug: PROJECT_PLANS[0].slug }),
}));

/**
 * Makes a page show the sample plans instead of those of the project, to test names and amounts. The backend does not
 * sell them.
 *
 * @param change changes a plan before it is shown
 */
export async function showSamplePlans(
  page: Page,
  change: (plan: PlanView) => object = (plan) => plan,
): Promise<void> {
  await page.route('**/api/auth/plans', (route) => route.fulfill({ json: { plans: VIEWS.map(change) } }));
}
