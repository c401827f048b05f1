/** Computes the effects of an upgrade without changing the work tree or a branch. */
import { newEntries, type Entry } from './changelog.ts';
import type { Git } from './git.ts';
import { pagesWithoutOtherChanges } from './links.ts';
import { ownershipOf, type Ownership } from './ownership.ts';
import { PARTS, pathsOf, type Part } from './parts.ts';

/** A file that git cannot merge. */
export interface Conflict {
  file: string;
  /** The words of git: `contents`, `modify/delete`, `rename/delete` and so on. */
  kinds: string[];
  ownership: Ownership;
}

export interface UpgradePlan {
  /** The commit of Hearth that is merged. */
  target: string;
  /** The commit of Hearth that the project was made from, if the histories must be joined first. */
  joins: string | undefined;
  /** How many commits of Hearth are new. */
  commits: number;
  conflicts: Conflict[];
  /** The parts of Hearth that the project does not have. */
  leftOut: Part[];
  /** Pages that would conflict only because the project has no links into these parts. */
  pagesToTake: string[];
  /** The entries of the changelog that are new. */
  entries: Entry[];
}

/** The identity for a commit that only `git merge-tree` sees. */
const AS_NOBODY = ['-c', 'user.name=upgrade', '-c', 'user.email=upgrade@localhost'];

/**
 * Plans an upgrade of the current branch.
 *
 * @param from a tag, a branch of a remote, or a commit
 * @throws Error if git does not know `from`, or the histories have nothing in common
 */
export async function planUpgrade(git: Git, from: string): Promise<UpgradePlan> {
  const target = await git.attempt('rev-parse', '--verify', '--quiet', `${from}^{commit}`);
  if (target === undefined) throw new Error(`git does not know ${from}. Fetch it first: git fetch hearth`);
  const common = await git.attempt('merge-base', 'HEAD', target);
  const joins = common === undefined ? await templateCommit(git) : undefined;
  const base = common ?? joins;
  if (base === undefined) {
    throw new Error(
      `The project has no history in common with ${from}, and package.json does not name a commit of Hearth that git knows.`,
    );
  }
  const ours = joins === undefined ? 'HEAD' : await joined(git, joins);
  const leftOut = await partsLeftOut(git, base);
  const conflicts = await conflictsOf(git, ours, target);
  const among = conflicts.map(({ file }) => file);
  const [withoutPart, pagesToTake] = await Promise.all([
    filesLeftOut(git, { leftOut, among }),
    pagesWithoutOtherChanges(git, base, { leftOut, among }),
  ]);
  const resolved = new Set([...withoutPart, ...pagesToTake]);
  return {
    target,
    joins,
    commits: Number(await git.run('rev-list', '--count', `${base}..${target}`)),
    conflicts: conflicts.filter(({ file }) => !resolved.has(file)),
    leftOut,
    pagesToTake,
    entries: newEntries(await changelogAt(git, base), await changelogAt(git, target)),
  };
}

/**
 * The parts that `base` has and HEAD has not. They are read from the files, so that projects of 0.1.0 work, too, and
 * parts that were deleted later.
 */
async function partsLeftOut(git: Git, base: string): Promise<Part[]> {
  const areLeftOut = await Promise.all(
    PARTS.map(async ({ folder }) => {
      const [before, now] = await Promise.all([filesAt(git, base, [folder]), filesAt(git, 'HEAD', [folder])]);
      return before.length > 0 && now.length === 0;
    }),
  );
  return PARTS.filter((_part, index) => areLeftOut[index]);
}

/**
 * The files that belong to a part that the project does not have. Git merges new and changed files of such a part,
 * because a deleted folder is to git only a number of deleted files. A file of HEAD is the project's own and stays.
 */
export async function filesLeftOut(
  git: Git,
  { leftOut, among }: { leftOut: readonly Part[]; among: readonly string[] },
): Promise<string[]> {
  const paths = leftOut.flatMap(pathsOf);
  if (paths.length === 0) return [];
  const own = new Set(await filesAt(git, 'HEAD', paths));
  const isLeftOut = (file: string) =>
    paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)) && !own.has(file);
  return among.filter(isLeftOut);
}

async function filesAt(git: Git, commit: string, paths: readonly string[]): Promise<string[]> {
  const output = await git.run('ls-tree', '-r', '-z', '--name-only', commit, '--', ...paths);
  return output.split('\0').filter((name) => name !== '');
}

/** The commit that create-hearth wrote to package.json, if git has it. */
async function templateCommit(git: Git): Promise<string | undefined> {
  const manifest = JSON.parse(await git.run('show', 'HEAD:package.json')) as { hearth?: { commit?: string } };
  const commit = manifest.hearth?.commit;
  return commit === undefined
    ? undefined
    : git.attempt('rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
}

/** A commit with the files of HEAD whose parents are HEAD and `template`. No branch has it. */
async function joined(git: Git, template: string): Promise<string> {
  const parents = ['-p', 'HEAD', '-p', template];
  return git.run(...AS_NOBODY, 'commit-tree', 'HEAD^{tree}', ...parents, '-m', 'Join the histories');
}

async function changelogAt(git: Git, commit: string): Promise<string> {
  return (await git.attempt('show', `${commit}:CHANGELOG.md`)) ?? '';
}

async function conflictsOf(git: Git, ours: string, theirs: string): Promise<Conflict[]> {
  const { exitCode, stdout, stderr } = await git.ask(
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--messages',
    '-z',
    ours,
    theirs,
  );
  if (exitCode > 1) throw new Error(`git merge-tree failed. It needs git 2.38 or later. ${stderr}`);
  const [files = '', messages = ''] = stdout.split('\0\0');
  const kinds = kindsOf(messages);
  const [, ...names] = files.split('\0').filter((name) => name !== '');
  return names.map((file) => ({ file, kinds: kinds.get(file) ?? [], ownership: ownershipOf(file) }));
}

/** The kinds of conflict of each file. A message is a number of paths, the paths, a kind and a text. */
function kindsOf(messages: string): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  const fields = messages.split('\0');
  while (fields.length > 1) {
    const paths = fields.splice(0, Number(fields.shift()));
    const [kind = ''] = fields.splice(0, 2);
    const [, name] = /^CONFLICT \((.+)\)$/.exec(kind) ?? [];
    if (name !== undefined) for (const path of paths) kinds.set(path, [...(kinds.get(path) ?? []), name]);
  }
  return kinds;
}
