/** A condition could not be evaluated, so its `allow` does not allow the request. `||` and `&&` may recover from it. */
export class EvaluationError extends Error {
  override readonly name: string = 'EvaluationError';
}

/** The result depends on a value that is not known from the query. */
export class UndeterminedError extends EvaluationError {
  override readonly name: string = 'UndeterminedError';
}

/** A limit of the whole request was reached. The request is denied, and no operator recovers from it. */
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
