import { ARITHMETIC } from './arithmetic.ts';
import { ARRAYS } from './arrays.ts';
import { COMPARISON } from './comparison.ts';
import type { FunctionDefinition } from './define.ts';
import { LOGIC } from './logic.ts';
import { MAPS } from './maps.ts';
import { STRINGS } from './strings.ts';
import { TIME } from './time.ts';
import { VALUES } from './values.ts';

/** The functions of pipeline expressions, by name. */
export const FUNCTIONS: ReadonlyMap<string, FunctionDefinition> = new Map(
  [ARITHMETIC, ARRAYS, COMPARISON, LOGIC, MAPS, STRINGS, TIME, VALUES].flatMap((functions) =>
    Object.entries(functions),
  ),
);
