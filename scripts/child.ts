import { execa } from 'execa';

/** How many of the last lines are kept to explain an unexpected end. */
const TAIL_LINES = 30;

export interface ChildOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Called with every line of its standard output and error. */
  onLine: (line: string) => void;
}

/** A program of the stack, in a process group of its own. */
export interface Child {
  name: string;
  /** Resolves, never rejects, when the program has ended: with its exit code, or null after a signal. */
  exited: Promise<number | null>;
  /** Its last lines of output. */
  tail: () => string;
  /** Asks the process to end, waits at most `graceMs` milliseconds, then kills the rest of its group. */
  stop: (graceMs: number) => Promise<void>;
}

/**
 * Starts a Node program. It gets its own process group, so Ctrl-C in a terminal does not reach it and the parent
 * decides the order of shutdown. Its standard input is a pipe that closes when this process dies.
 */
export function startNode(name: string, args: readonly string[], options: ChildOptions): Child {
  const child = execa(process.execPath, args, {
    cwd: options.cwd,
    env: options.env,
    extendEnv: false,
    stdin: 'pipe',
    all: true,
    buffer: false,
    reject: false,
    killDescendants: true,
    // `kill` below is earlier than execa's own clean-up.
    cleanup: false,
  });
  const lines: string[] = [];
  const readToEnd = async () => {
    for await (const line of child.iterable({ from: 'all' })) {
      lines.push(line);
      if (lines.length > TAIL_LINES) lines.shift();
      options.onLine(line);
    }
    const { exitCode, originalMessage } = await child;
    if (originalMessage !== undefined) lines.push(originalMessage);
    return exitCode ?? null;
  };
  const kill = () => {
    child.stdin.destroy();
    child.kill('SIGKILL');
  };
  // Before other listeners, which remove the files that these processes use.
  process.prependOnceListener('exit', kill);
  const exited = readToEnd().finally(() => {
    // Kills the children of a program that ended by itself.
    kill();
    process.off('exit', kill);
  });

  const stop = async (graceMs: number) => {
    // The program alone, which ends its own processes in order.
    child.nodeChildProcess.kill('SIGINT');
    const timer = setTimeout(kill, graceMs);
    await exited;
    clearTimeout(timer);
  };

  return { name, exited, tail: () => lines.join('\n'), stop };
}
