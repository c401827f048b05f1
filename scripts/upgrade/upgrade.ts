/**
 * Merges a newer Hearth into a project that is built on it:
 *
 *   npm run upgrade -- --from <tag or remote/branch> [--dry-run]
 *
 * First it prints the new entries of the changelog and the files that will conflict, with the side to prefer. With --dry-run
 * it stops there. Nothing is fetched: `git fetch hearth` before. docs/building.md describes the whole way.
 *
 * The exit code is 0 without conflicts, 1 with conflicts, and 2 if the upgrade is not possible.
 */
import { parseArgs } from 'node:util';
import { createGit, type Git } from './git.ts';
import { planUpgrade, type UpgradePlan } from './plan.ts';
import { reportOf } from './report.ts';

const CLEAN = 0;
const CONFLICTS = 1;
const IMPOSSIBLE = 2;

const OPTIONS = { from: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } as const;

/**
 * Runs the command in the repository at `folder`.
 *
 * @returns the exit code
 */
export async function upgrade(
  args: readonly string[],
  { folder, print }: { folder: string; print: (text: string) => void },
): Promise<number> {
  try {
    const { from, 'dry-run': isDryRun } = parseArgs({ args: [...args], options: OPTIONS }).values;
    if (from === undefined) throw new Error('Usage: --from <tag or remote/branch> [--dry-run]');
    const git = createGit(folder);
    const isClean = (await git.run('status', '--porcelain')) === '';
    if (!isClean && !isDryRun) throw new Error('Commit your changes first, so that git can merge.');
    const plan = await planUpgrade(git, from);
    print(reportOf(from, plan));
    if (!isClean) print('Changes that are not committed are not considered.');
    if (!isDryRun && plan.commits > 0) print(await merge(git, plan, from));
    return plan.conflicts.length === 0 ? CLEAN : CONFLICTS;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return IMPOSSIBLE;
  }
}

/** Merges, and returns the next steps. Conflicts are left in the files for a person. */
async function merge(git: Git, { target, joins, conflicts }: UpgradePlan, from: string): Promise<string> {
  if (joins !== undefined) {
    const message = `Join the history of Hearth at ${joins.slice(0, 12)}`;
    await git.run('merge', '--strategy=ours', '--allow-unrelated-histories', '-m', message, joins);
  }
  const { exitCode, stderr } = await git.ask('merge', '-m', `Merge ${from} of Hearth`, target);
  if (exitCode !== 0 && conflicts.length === 0) throw new Error(`git merge failed: ${stderr}`);
  return conflicts.length === 0
    ? 'Merged. Next: npm ci && npm test'
    : 'Merged, with conflicts. Resolve them and commit, or go back with: git merge --abort';
}

if (import.meta.main) {
  process.exitCode = await upgrade(process.argv.slice(2), { folder: process.cwd(), print: console.log });
}
