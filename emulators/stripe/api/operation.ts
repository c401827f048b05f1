import type { Scope } from '../world.ts';
import type { FormMap } from './parameters/form.ts';
import { fields, list, text } from './parameters/params.ts';
import type { Fields, Parsed, Table } from './parameters/params.ts';

/**
 * One call of an operation: its parameters, and the `:id` of its path (empty when the path has none). With a `:child`,
 * `id` has both, joined by a slash.
 */
export interface Call<F extends Fields> {
  scope: Scope;
  params: Parsed<F>;
  id: string;
}

/** A method and path of the API, ready to be served. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** The parameters that Stripe has here; the ones that are unsupported are refused. */
  readonly params: Table;
  /**
   * Validates the form before it touches anything, then answers the object and the `expand` paths that were asked for.
   */
  run(scope: Scope, id: string, form: FormMap): { result: object; expand: string[] };
}

const common = { expand: list(text()) };

/**
 * Declares an operation: its table of parameters is beside the code that uses them.
 * @param unsupported parameters that Stripe has and this operation refuses
 */
export function operation<F extends Fields>(spec: {
  method: Operation['method'];
  path: string;
  params: F;
  unsupported?: readonly string[];
  run: (call: Call<F>) => object;
}): Operation {
  return {
    method: spec.method,
    path: spec.path,
    params: { fields: { ...spec.params, ...common }, unsupported: spec.unsupported ?? [] },
    run(scope, id, form) {
      const { expand = [] } = fields(
        common,
        pick(form, (key) => key === 'expand'),
      );
      const params = fields(
        spec.params,
        pick(form, (key) => key !== 'expand'),
        spec.unsupported,
      );
      return { result: spec.run({ scope, params, id }), expand };
    },
  };
}

function pick(form: FormMap, wanted: (key: string) => boolean): FormMap {
  return new Map([...form].filter(([key]) => wanted(key)));
}
