/** The line that the server prints when it listens. */
export const API_READY = 'The API listens.';

/** The argument of a start after the first one, when the stack runs already. */
export const AGAIN = '--again';
