import { execa } from 'execa';

/** Runs git in one repository. */
export interface Git {
  /** Standard output without the last line break. @throws Error with the message of git if it fails */
  run: (...args: string[]) => Promise<string>;
  /** Standard output, or undefined if git fails. */
  attempt: (...args: string[]) => Promise<string | undefined>;
  /** The exit code and the output, for commands that say something by their exit code. */
  ask: (...args: string[]) => Promise<Answer>;
}

export interface Answer {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export function createGit(folder: string): Git {
  const ask = async (...args: string[]): Promise<Answer> => {
    const { exitCode = 1, stdout, stderr } = await execa('git', args, { cwd: folder, reject: false });
    return { exitCode, stdout, stderr };
  };
  const run = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await ask(...args);
    if (exitCode !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
    return stdout;
  };
  const attempt = async (...args: string[]): Promise<string | undefined> => {
    const { exitCode, stdout } = await ask(...args);
    return exitCode === 0 ? stdout : undefined;
  };
  return { run, attempt, ask };
}
