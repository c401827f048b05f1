/** A rule could not be evaluated: its `allow` does not grant. `||` and `&&` may recover from it. */
export class EvaluationError extends Error {
  override readonly name: string = 'EvaluationError';
}

/** A value is needed that the facts of the request do not determine. */
export class UndeterminedError extends EvaluationError {
  override readonly name: string = 'UndeterminedError';
}

/** A limit of the whole request was reached: nothing recovers from it, the request is denied. */
export class LimitError extends Error {
  override readonly name: string = 'LimitError';
}

/** The words of the official runtime, so that a message found on the web leads to the same cause. */
export const nullValue = (): EvaluationError => new EvaluationError('Null value error.');
export const undefinedProperty = (name: string): EvaluationError =>
  new EvaluationError(`Property ${name} is undefined on object.`);
export const functionNotFound = (name: string): EvaluationError =>
  new EvaluationError(`Function not found error: Name: [${name}].`);
export const variableNotFound = (name: string): EvaluationError =>
  new EvaluationError(`Variable not found error: Name: [${name}].`);
export const unsupported = (received: string, expected: string): EvaluationError =>
  new EvaluationError(`Unsupported operation error. Received: ${received}. Expected: ${expected}.`);
export const undetermined = (what: string): UndeterminedError =>
  new UndeterminedError(`The query does not determine ${what}.`);
