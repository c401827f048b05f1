import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extrasSchema } from '../functions/src/settings/extras.ts';
import { planListSchema } from '../functions/src/settings/plans.ts';
import { withFileLimits, withPlanTables } from '../scripts/plan-tables.ts';

const PLANS = 'functions/plans.json';

/**
 * Keeps some plans of the template, in their order, and writes the tables of the security rules.
 *
 * @throws Error for a slug that no plan has, and without the free plan
 */
export async function keepPlans(project: string, slugs: readonly string[]): Promise<void> {
  const read = (file: string) => readFile(join(project, file), 'utf8');
  const texts = (await read(PLANS)).match(/^ {2}\{\n[^]*?^ {2}\}/gm) ?? [];
  const plans = texts.map((text) => ({ text, slug: (JSON.parse(text) as { slug: string }).slug }));
  const known = plans.map(({ slug }) => slug);
  const unknown = slugs.filter((slug) => !known.includes(slug));
  if (unknown.length > 0) throw new Error(`No plan ${unknown.join(', ')}. There are ${known.join(', ')}.`);
  const [free = ''] = known;
  if (!slugs.includes(free)) throw new Error(`The free plan must be kept: ${free}.`);

  const kept = plans.filter(({ slug }) => slugs.includes(slug)).map(({ text }) => text);
  if (kept.length === plans.length) return;
  const json = `[\n${kept.join(',\n')}\n]\n`;
  await writeFile(join(project, PLANS), json);
  const extras = extrasSchema.parse(JSON.parse(await read('functions/extras.json')));
  const offered = { plans: planListSchema.parse(JSON.parse(json)), extras };
  await writeFile(join(project, 'firestore.rules'), withPlanTables(await read('firestore.rules'), offered));
  await writeFile(join(project, 'storage.rules'), withFileLimits(await read('storage.rules'), offered));
}
