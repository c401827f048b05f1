import { loadConfig } from '../settings/config.ts';
import { TEST_SETTINGS } from './settings.ts';

/** Loads the test settings with some changes. Undefined removes a setting. */
export const load = (changes: Record<string, string | undefined>) =>
  loadConfig({ ...TEST_SETTINGS, ...changes });

/** The message of the error that `attempt` throws. */
export function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('No error was thrown.');
}
