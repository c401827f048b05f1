import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A Node program in a process of its own. */
export interface NodeProcess {
  /** The first line that it printed in the form that was waited for. */
  readonly line: string;
  /** Processor time of all its threads so far, in milliseconds. Linux only: elsewhere it is NaN. */
  cpuMs: () => number;
  /** Memory that it holds, in MB. Linux only: elsewhere it is NaN. */
  residentMb: () => number;
  stop: () => Promise<void>;
}

interface Program {
  args: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** The line that it prints when it is ready. */
  ready: RegExp;
}

/** @throws Error with the program's output if it ends before it is ready */
export async function startNode({ args, cwd, env = {}, ready }: Program): Promise<NodeProcess> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      output.push(text);
      if (ready.test(text)) resolve(text);
    });
    void exited.then(() => {
      reject(new Error(`${args.join(' ')} ended:\n${output.join('\n')}`));
    });
  });
  const pid = child.pid ?? 0;
  return {
    line,
    cpuMs: () => cpuMs(pid),
    residentMb: () => residentMb(pid),
    stop: async () => {
      process.off('exit', kill);
      kill();
      await exited;
    },
  };
}

function cpuMs(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const folder = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const thread of readdirSync(folder)) {
    nanoseconds += Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return nanoseconds / 1e6;
}

function residentMb(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
