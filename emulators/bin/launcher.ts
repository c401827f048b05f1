import { basename } from 'node:path';
import { endWithStdin, LIFELINE_VARIABLE } from './lifeline.ts';

/** The program that one call of `java` asks for. */
export type JavaCommand =
  | { kind: 'version' }
  | { kind: 'firestore'; args: string[] }
  | { kind: 'storage-rules' }
  | { kind: 'unsupported'; reason: string };

/** Names the file with the indexes that queries need, which the Firebase CLI does not pass on. */
export const INDEXES_VARIABLE = 'LAUNCHER_FIRESTORE_INDEXES';

/**
 * The first line of `java -version` is all that the Firebase CLI reads: it looks for `version "<major>` and
 * refuses anything below 21.
 */
export const VERSION_BANNER = 'openjdk version "21.0.0"\nLocal launcher: runs the local stand-ins, not Java';

/** Reads a `java` command line the way the Firebase CLI writes it: JVM options, then `-version` or `-jar FILE ARGS`. */
export function parseJavaCommand(argv: readonly string[]): JavaCommand {
  const jarOption = argv.indexOf('-jar');
  if (jarOption === -1) {
    return argv.includes('-version')
      ? { kind: 'version' }
      : { kind: 'unsupported', reason: `no -jar and no -version in: java ${argv.join(' ')}` };
  }
  const jar = basename(argv[jarOption + 1] ?? '');
  const args = argv.slice(jarOption + 2);
  if (jar.startsWith('cloud-firestore-emulator-v')) return { kind: 'firestore', args };
  if (jar.startsWith('cloud-storage-rules-runtime-v') && args[0] === 'serve')
    return { kind: 'storage-rules' };
  return { kind: 'unsupported', reason: `no stand-in for ${[jar, ...args].join(' ')}` };
}

/**
 * Runs the requested emulator in this process, so that the signals and the pipes of the CLI reach it directly.
 */
export async function launch(argv: readonly string[]): Promise<void> {
  const command = parseJavaCommand(argv);
  switch (command.kind) {
    case 'version':
      console.error(VERSION_BANNER);
      return;
    case 'firestore':
      if (process.env[LIFELINE_VARIABLE] !== undefined) endWithStdin();
      passArguments('firestore', [...command.args, ...indexesOption()]);
      await import('@hearth/firestore-emulator/main');
      return;
    case 'storage-rules':
      await import('@hearth/security-rules/storage-runtime');
      return;
    case 'unsupported':
      console.error(`Local launcher: ${command.reason}`);
      process.exitCode = 1;
  }
}

function indexesOption(): string[] {
  const file = process.env[INDEXES_VARIABLE];
  return file === undefined ? [] : ['--indexes', file];
}

/** For a program that is imported as if it had been started as `node <program> <args>`. */
function passArguments(program: string, args: readonly string[]): void {
  process.argv = [process.execPath, program, ...args];
}
