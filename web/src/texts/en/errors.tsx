export const ERRORS = {};
