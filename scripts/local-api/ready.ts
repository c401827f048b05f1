/** The line that the server prints when it listens. */
export const API_READY = 'The API listens.';
