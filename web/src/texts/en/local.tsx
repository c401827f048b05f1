export const LOCAL = {};
