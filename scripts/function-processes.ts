import { execaSync } from 'execa';

/** The program by which the functions emulator runs a function. */
const RUNTIME = 'functionsEmulatorRuntime';

/**
 * Counts the processes of functions that this process started, also indirectly. The functions emulator keeps each of
 * them for later calls, so the count never falls while a stack runs.
 */
export function countFunctionProcesses(): number {
  const { stdout } = execaSync('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const parents = new Map<number, number>();
  const functions: number[] = [];
  for (const [, pid, parent, program = ''] of stdout.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm)) {
    parents.set(Number(pid), Number(parent));
    if (program.includes(RUNTIME)) functions.push(Number(pid));
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  return functions.filter(isOurs).length;
}
