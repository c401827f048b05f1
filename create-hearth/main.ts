/**
 * Makes a new project from Hearth:
 *
 *   npm run create -- ../my-app
 *
 * Asks for missing options, see `--help`. Nothing is downloaded or installed.
 */
import { exitWithHelp } from '../scripts/command-line.ts';
import { askTerminal, COMMAND_LINE, readChoices } from './options.ts';
import { createProject } from './project.ts';

exitWithHelp(COMMAND_LINE);

try {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const choices = await readChoices(process.argv.slice(2), isTerminal ? askTerminal : undefined);
  const project = await createProject(choices);
  console.log(`Made ${project}. Next:\n\n  cd ${choices.folder}\n  npm ci\n  npm start`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
