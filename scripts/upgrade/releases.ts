/** The version of package.json before the changelog has a version. */
const FIRST = '0.1.0';

/**
 * Compares the headings of the changelog with each other and with the version of package.json.
 *
 * @param headings newest first
 * @returns a sentence for each fault
 */
export function releaseFaults([first, ...headings]: readonly string[], version: string): string[] {
  const faults = first === 'Unreleased' ? [] : ['The first heading is not Unreleased.'];
  const releases = first === 'Unreleased' ? headings : [first ?? '', ...headings];
  const versions: string[] = [];
  for (const heading of releases) {
    const [, found] = /^(\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/.exec(heading) ?? [];
    if (found === undefined) faults.push(`"${heading}" is not a version and a date.`);
    else versions.push(found);
  }
  versions.forEach((lower, index) => {
    const upper = versions[index - 1];
    if (upper !== undefined && !isNewer(upper, lower)) faults.push(`${lower} is below ${upper}.`);
  });
  const [newest = FIRST] = versions;
  if (newest !== version) faults.push(`package.json has ${version}, the changelog ${newest}.`);
  return faults;
}

function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}
