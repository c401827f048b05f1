export const FILES = {};
