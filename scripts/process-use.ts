/** Reads what processes use from Linux's /proc, see proc(5). A process that ends meanwhile is left out. */
import { readFileSync, readdirSync } from 'node:fs';

/** Clock ticks per second: USER_HZ, which is 100 on every platform of Linux that Node supports. */
const TICKS = 100;

export interface ProcessUse {
  pid: number;
  /** Kind of program, such as `function` or `browser`. */
  program: string;
  processorSeconds: number;
  /** Resident memory in bytes; shared pages count in equal parts for each process that shares them. */
  memory: number;
}

/** Patterns of command lines, the first that matches gives the name. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/functionsEmulatorRuntime/, 'function'],
  [/chromium|type=(renderer|utility|zygote|gpu-process)/, 'browser'],
  [/emulators\/bin\/java|emulators\/firestore\/main/, 'firestore'],
  [/emulators\/stripe/, 'stripe'],
  [/emulators\/inbox/, 'inbox'],
  [/firebase-tools/, 'firebase CLI'],
  [/app-process\.ts/, 'killed app'],
  [/vitest\.mjs/, 'vitest'],
  [/vitest/, 'test worker'],
  [/esbuild|build\.ts/, 'build'],
];

/** The running processes whose environment has this entry (`NAME=value`), which children inherit. */
export function processesMarked(entry: string): ProcessUse[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(entry) ? [useOf(Number(pid))] : [];
      } catch {
        return [];
      }
    });
}

function useOf(pid: number): ProcessUse {
  const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  const [user = 0, system = 0] = processorTicks(pid);
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  return {
    pid,
    program: PROGRAMS.find(([pattern]) => pattern.test(commandLine))?.[1] ?? 'other',
    processorSeconds: (user + system) / TICKS,
    memory: Number(/^Pss: +(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024,
  };
}

/** Processor seconds of the ended children of this process, and of theirs. */
export function childrenProcessorSeconds(): number {
  const [, , user = 0, system = 0] = processorTicks('self');
  return (user + system) / TICKS;
}

/** User and system time of a process, then of its ended children. */
function processorTicks(pid: number | 'self'): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is a name in parentheses, which may have blanks; user time is field 14.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

/** Adds up the resources that the processes of a run use. */
export class UseMeter {
  readonly #processorSeconds = new Map<number, ProcessUse>();
  #peak: ProcessUse[] = [];
  #peakFunctions = 0;

  read(processes: ProcessUse[]): void {
    for (const use of processes) this.#processorSeconds.set(use.pid, use);
    if (memoryOf(processes) > memoryOf(this.#peak)) this.#peak = processes;
    const functions = processes.filter(({ program }) => program === 'function').length;
    this.#peakFunctions = Math.max(this.#peakFunctions, functions);
  }

  /** @param total processor seconds of the whole run, with processes that ended between two readings */
  describe(total: number): string[] {
    const seconds = sumByProgram([...this.#processorSeconds.values()], (use) => use.processorSeconds);
    const memory = sumByProgram(this.#peak, (use) => use.memory / 2 ** 20);
    const megabytes = (memoryOf(this.#peak) / 2 ** 20).toFixed(0);
    return [
      `${total.toFixed(0)} CPU s (${seconds})`,
      `peak ${megabytes} MB in ${this.#peak.length} processes (${memory})`,
      `at most ${this.#peakFunctions} processes of functions`,
    ];
  }
}

function memoryOf(processes: readonly ProcessUse[]): number {
  return processes.reduce((sum, { memory }) => sum + memory, 0);
}

function sumByProgram(processes: readonly ProcessUse[], of: (use: ProcessUse) => number): string {
  return [...Map.groupBy(processes, ({ program }) => program)]
    .map(([program, own]) => [program, own.reduce((sum, use) => sum + of(use), 0)] as const)
    .filter(([, sum]) => sum >= 1)
    .sort(([, a], [, b]) => b - a)
    .map(([program, sum]) => `${program} ${sum.toFixed(0)}`)
    .join(', ');
}
