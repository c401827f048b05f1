import { EvaluationError } from '../errors.ts';
import { path, type PathValue } from '../value.ts';
import { mapOf } from './arguments.ts';
import { toText } from './convert.ts';
import type { MethodTable } from './table.ts';

/** https://firebase.google.com/docs/reference/rules/rules.Path */
export const pathMethods: MethodTable<PathValue> = {
  bind: ({ segments }, bindings) => {
    const { entries } = mapOf(bindings);
    const unused = new Set(entries.keys());
    const bound = path(
      segments.flatMap((segment) => {
        const name = /^\{(\w+)(?:=\*\*)?\}$/.exec(segment)?.[1];
        if (name === undefined) return [segment];
        const value = entries.get(name);
        if (value === undefined) throw new EvaluationError(`The path has no binding for ${name}.`);
        unused.delete(name);
        return value.type === 'path' ? value.segments : [toText(value)];
      }),
    );
    const [first] = unused;
    if (first !== undefined) throw new EvaluationError(`The path has no wildcard ${first}.`);
    return bound;
  },
};
