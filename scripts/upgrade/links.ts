/**
 * Pages of a project that lacks a part of Hearth. `create-hearth` removes the links into the part from the pages, and
 * an upgrade must neither bring them back nor make a conflict of each.
 */
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { pathsOf, type Part } from './parts.ts';

/** A text of Markdown without the links into folders. The words of the links stay. */
export function withoutLinks(text: string, folders: readonly string[]): string {
  return folders.reduce((rest, folder) => {
    const link = new RegExp(`\\[([^\\]]+)\\]\\((?:\\.\\./)*${folder}[^)]*\\)`, 'g');
    return rest.replaceAll(link, '$1');
  }, text);
}

/** The folders of the parts. Each ends with a slash. */
const foldersOf = (parts: readonly Part[]) => parts.flatMap(pathsOf).filter((path) => path.endsWith('/'));

/**
 * Finds the pages that a project has changed in nothing but links into the parts that it lacks. If such a page is in
 * conflict, the version of Hearth without these links is right.
 *
 * @param base the commit of Hearth from which the project comes
 */
export async function pagesWithoutOtherChanges(
  git: Git,
  base: string,
  { leftOut, among }: { leftOut: readonly Part[]; among: readonly string[] },
): Promise<string[]> {
  const pages = among.filter((file) => file.endsWith('.md'));
  const areUnchanged = await Promise.all(
    pages.map(async (page) => {
      const [before, now] = await Promise.all([textAt(git, base, page), textAt(git, 'HEAD', page)]);
      return before !== undefined && now === withoutLinks(before, foldersOf(leftOut));
    }),
  );
  return pages.filter((_page, index) => areUnchanged[index]);
}

/** Takes these pages, or their deletion, from a commit of Hearth, and resolves their conflicts. */
export async function takePages(git: Git, commit: string, pages: readonly string[]): Promise<void> {
  for (const page of pages) {
    const exists = (await textAt(git, commit, page)) !== undefined;
    if (exists) await git.run('--literal-pathspecs', 'checkout', commit, '--', page);
    else await git.run('--literal-pathspecs', 'rm', '--quiet', '--force', '--', page);
  }
}

/**
 * Removes the links into parts that the project lacks from the pages that a merge has changed, and stages them. Links
 * in all other pages are the project's own.
 *
 * @param except pages in conflict
 */
export async function removeLinksOfMerge(
  git: Git,
  folder: string,
  { leftOut, except }: { leftOut: readonly Part[]; except: readonly string[] },
): Promise<void> {
  const changed = await git.run(
    'diff',
    '--cached',
    '--name-only',
    '-z',
    '--diff-filter=AM',
    'HEAD',
    '--',
    '*.md',
  );
  for (const page of changed.split('\0')) {
    if (page === '' || except.includes(page)) continue;
    const path = join(folder, page);
    if ((await lstat(path)).isSymbolicLink()) continue;
    const text = await readFile(path, 'utf8');
    const rest = withoutLinks(text, foldersOf(leftOut));
    if (rest === text) continue;
    await writeFile(path, rest);
    await git.run('--literal-pathspecs', 'add', '--', page);
  }
}

/** Undefined if the commit does not have the file. */
const textAt = (git: Git, commit: string, file: string) => git.attempt('show', `${commit}:${file}`);
