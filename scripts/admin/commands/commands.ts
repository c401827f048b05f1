import type { Command } from '../command.ts';
import { BILLING_COMMANDS } from './billing.ts';
import { ITEM_COMMANDS } from './items.ts';
import { TEAM_COMMANDS } from './teams.ts';
import { USER_COMMANDS } from './users.ts';

/** Every command by its words. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...USER_COMMANDS,
  ...TEAM_COMMANDS,
  ...ITEM_COMMANDS,
  ...BILLING_COMMANDS,
};
