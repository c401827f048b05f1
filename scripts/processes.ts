import { delimiter, join } from 'node:path';
import { LIFELINE_VARIABLE } from '../emulators/bin/lifeline.ts';
import { startNode, type Child } from './child.ts';
import { CACHE, ROOT } from './paths.ts';

/** The Firebase CLI shuts down in about a second; an export of the data on exit takes some more. */
const STOP_GRACE_MS = 30_000;

/** A Node program to run: its file and arguments, its folder, and what it needs beyond the common environment. */
export interface Program {
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
  onLine?: (line: string) => void;
}

/** The processes of one stack. */
export interface Processes {
  /** Runs a program to its end. @throws Error with its last lines when that is not exit code 0. */
  finish: (name: string, program: Program) => Promise<void>;
  /** Starts a program that is to run until `stop`. */
  start: (name: string, program: Program) => void;
  /** Resolves with the reason when a started program ends before `stop`. */
  failed: Promise<Error>;
  /** Aborted by `stop`. */
  signal: AbortSignal;
  /** Ends everything. */
  stop: () => Promise<void>;
}

export function createProcesses(
  env: Record<string, string>,
  onLine: (source: string, line: string) => void,
): Processes {
  const children = new Set<Child>();
  const stopped = new AbortController();
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();

  const run = (name: string, program: Program): Child => {
    const child = startNode(name, program.args, {
      cwd: program.cwd,
      env: childEnvironment({ ...env, ...program.env }),
      onLine: (line) => {
        onLine(name, line);
        program.onLine?.(line);
      },
    });
    children.add(child);
    return child;
  };

  return {
    failed,
    finish: async (name, program) => {
      const child = run(name, program);
      const code = await child.exited;
      if (code !== 0) throw endedEarly(child, code);
    },
    start: (name, program) => {
      const child = run(name, program);
      void child.exited.then((code) => {
        fail(endedEarly(child, code));
      });
    },
    signal: stopped.signal,
    stop: async () => {
      stopped.abort();
      await Promise.all([...children].map((child) => child.stop(STOP_GRACE_MS)));
    },
  };
}

function endedEarly(child: Child, code: number | null): Error {
  const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`;
  return new Error(`${child.name} ${how}. Its last lines:\n${child.tail()}`);
}

/** Ours without what a test runner sets, with the repository's own Node and tools first on PATH. */
function childEnvironment(extra: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST.*|TEST)$/.test(name));
  const tools = [extra['PATH'], join(ROOT, 'node_modules/.bin'), process.env['PATH']];
  return {
    ...Object.fromEntries(inherited),
    ...extra,
    PATH: tools.filter((folder) => folder !== undefined).join(delimiter),
    [LIFELINE_VARIABLE]: '1',
    // Start faster from the second time on; the functions' processes profit as well.
    NODE_COMPILE_CACHE: join(CACHE, 'compile'),
  };
}
