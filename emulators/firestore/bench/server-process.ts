import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface ServerProcess {
  /** Host and port. */
  readonly address: string;
  /** From the start of the process to the first line that it prints, in milliseconds. */
  readonly startMs: number;
  /** Memory that the process holds now, in MiB. Linux only: elsewhere it is NaN. */
  residentMiB(): number;
  stop(): Promise<void>;
}

/** Starts a program that prints a line ending in its host and port when it listens. */
export async function startServer(program: string, ...args: string[]): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const startMs = performance.now() - startedAt;
  const address = /[\d.]+:\d+$/.exec(line)?.[0];
  if (address === undefined) throw new Error(`${program} says "${line}" instead of where it listens.`);
  return {
    address,
    startMs,
    residentMiB: () => residentMiB(child.pid ?? 0),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function residentMiB(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}
