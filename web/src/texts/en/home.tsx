export const HOME = {};
