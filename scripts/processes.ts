import { delimiter, join } from 'node:path';
import { LIFELINE_VARIABLE } from '@hearth/emulators/lifeline';
import { startNode, type Child } from './child.ts';
import { CACHE, ROOT } from './paths.ts';

/** The Firebase CLI shuts down in about a second; an export of the data on exit takes some more. */
const STOP_GRACE_MS = 30_000;

/** How long requests in flight may take while a kept program starts anew. */
const RESTART_GRACE_MS = 1000;

/** A Node program to run: its file and arguments, its folder, and its variables beyond the common environment. */
export interface Program {
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
  onLine?: (line: string) => void;
}

export interface KeptProgram extends Program {
  /** The line that the program prints when it can be used. */
  readyLine: string;
  /** An argument that every start but the first adds. */
  againArg: string;
}

/** A program that is started again whenever it ends. */
export interface Kept {
  /** Resolves when the program has printed its `readyLine` for the first time. */
  readonly ready: Promise<void>;
  /** Ends the program, which then starts anew. Resolves when it has ended. */
  readonly restart: () => Promise<void>;
}

/** The processes of one stack. */
export interface Processes {
  /** Runs a program to its end. @throws Error with its last lines when that is not exit code 0. */
  finish: (name: string, program: Program) => Promise<void>;
  /** Starts a program that is to run until `stop`. */
  start: (name: string, program: Program) => void;
  /**
   * Starts a program that is to run until `stop`, and starts it again whenever it ends. Only if it ends before its
   * first `readyLine`, the stack fails.
   */
  keep: (name: string, program: KeptProgram) => Kept;
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
    void child.exited.then(() => children.delete(child));
    return child;
  };

  const keep = (name: string, { readyLine, againArg, ...program }: KeptProgram): Kept => {
    const first = Promise.withResolvers<undefined>();
    let current: Child | undefined;
    const startAgain = () => {
      let listening = false;
      const args = current === undefined ? program.args : [...program.args, againArg];
      const onLine = (line: string) => {
        listening ||= line === readyLine;
        if (listening) first.resolve(undefined);
      };
      const child = (current = run(name, { ...program, args, onLine }));
      void child.exited.then((code) => {
        if (stopped.signal.aborted) return;
        if (listening) startAgain();
        else fail(endedEarly(child, code));
      });
    };
    startAgain();
    return { ready: first.promise, restart: async () => current?.stop(RESTART_GRACE_MS) };
  };

  return {
    failed,
    finish: async (name, program) => {
      const child = run(name, program);
      if ((await child.exited) !== 0) throw endedEarly(child, await child.exited);
    },
    start: (name, program) => {
      const child = run(name, program);
      void child.exited.then((code) => {
        fail(endedEarly(child, code));
      });
    },
    keep,
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

/** Our environment without the variables of a test runner, with the repository's own Node and tools first on PATH. */
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
