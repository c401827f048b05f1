/**
 * Makes a new project from Hearth:
 *
 *   npm create hearth@latest my-app
 *   npm run create -- ../my-app    # in a checkout
 *
 * Asks for missing options, see USAGE. Nothing is downloaded or installed.
 */
import { createProject } from './project.ts';
import { askTerminal, readChoices } from './options.ts';

try {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const choices = await readChoices(process.argv.slice(2), isTerminal ? askTerminal : undefined);
  const project = await createProject(choices);
  console.log(`Made ${project}. Next:\n\n  cd ${choices.folder}\n  npm ci\n  npm start`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
