/**
 * Merges a newer Hearth into a project that is built on it:
 *
 * npm run upgrade -- --from <tag or remote/branch> [--dry-run]
 *
 * First it prints the new entries of the changelog and the files that will conflict, with the side to prefer. With
 * --dry-run it stops there. Nothing is fetched: `git fetch hearth` before. docs/building.md describes the whole way.
 *
 * The exit code is 0 without conflicts, 1 with conflicts, and 2 if the upgrade is not possible.
 */
import { helpOf, readCommandLine, wantsHelp, type CommandLine } from '../command-line.ts';
import { createGit, type Git } from './git.ts';
import { removeLinksOfMerge, takePages } from './links.ts';
import type { Part } from './parts.ts';
import { filesLeftOut, planUpgrade, type UpgradePlan } from './plan.ts';
import { reportOf } from './report.ts';

const CLEAN = 0;
const CONFLICTS = 1;
const IMPOSSIBLE = 2;

const COMMAND_LINE = {
  usage: ['npm run upgrade -- --from <tag or remote/branch> [--dry-run]'],
  options: {
    from: { type: 'string', value: '<tag or remote/branch>', help: 'the version to merge' },
    'dry-run': {
      type: 'boolean',
      default: false,
      help: 'prints changelog and conflicts, and merges nothing',
    },
  },
  examples: ['git fetch hearth && npm run upgrade -- --from hearth/v0.2.0 --dry-run'],
} as const satisfies CommandLine;

/**
 * Runs the command in the repository at `folder`.
 *
 * @returns the exit code
 */
export async function upgrade(
  args: readonly string[],
  { folder, print }: { folder: string; print: (text: string) => void },
): Promise<number> {
  if (wantsHelp(args)) {
    print(helpOf(COMMAND_LINE));
    return CLEAN;
  }
  try {
    const { from, 'dry-run': isDryRun } = readCommandLine(COMMAND_LINE, args).values;
    if (from === undefined) throw new Error(helpOf(COMMAND_LINE));
    const git = createGit(folder);
    const isClean = (await git.run('status', '--porcelain')) === '';
    if (!isClean && !isDryRun) throw new Error('Commit your changes first, so that git can merge.');
    const plan = await planUpgrade(git, from);
    print(reportOf(from, plan));
    if (!isClean) print('Changes that are not committed are not considered.');
    if (!isDryRun && plan.commits > 0) print(await merge(git, folder, plan, from));
    return plan.conflicts.length === 0 ? CLEAN : CONFLICTS;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return IMPOSSIBLE;
  }
}

/** Merges, and returns the next steps. Conflicts are left in the files for a person. */
async function merge(git: Git, folder: string, plan: UpgradePlan, from: string): Promise<string> {
  const { target, joins, conflicts, leftOut, pagesToTake } = plan;
  if (joins !== undefined) {
    const message = `Join the history of Hearth at ${joins.slice(0, 12)}`;
    await git.run('merge', '--strategy=ours', '--allow-unrelated-histories', '-m', message, joins);
  }
  const message = `Merge ${from} of Hearth`;
  const pause = leftOut.length === 0 ? [] : ['--no-ff', '--no-commit'];
  const { exitCode, stderr } = await git.ask('merge', ...pause, '-m', message, target);
  const hasBegun = (await git.attempt('rev-parse', '--verify', '--quiet', 'MERGE_HEAD')) !== undefined;
  if (exitCode !== 0 && !hasBegun) throw new Error(`git merge failed: ${stderr}`);
  if (leftOut.length > 0) {
    await removeLeftOut(git, leftOut);
    await takePages(git, target, pagesToTake);
    await removeLinksOfMerge(git, folder, { leftOut, except: conflicts.map(({ file }) => file) });
  }
  if (conflicts.length > 0) {
    return 'Merged, with conflicts. Resolve them and commit, or go back with: git merge --abort';
  }
  if (hasBegun) await git.run('commit', '-m', message);
  return 'Merged. Next: npm ci && npm test';
}

/** Removes what the merge brought of parts that the project does not have, also where it is in conflict. */
async function removeLeftOut(git: Git, leftOut: readonly Part[]): Promise<void> {
  const merged = (await git.run('ls-files', '-z')).split('\0');
  const files = await filesLeftOut(git, { leftOut, among: [...new Set(merged)] });
  if (files.length > 0) await git.run('--literal-pathspecs', 'rm', '--quiet', '--force', '--', ...files);
}

if (import.meta.main) {
  process.exitCode = await upgrade(process.argv.slice(2), { folder: process.cwd(), print: console.log });
}
