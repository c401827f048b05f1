import { join, resolve } from 'node:path';

/** The repository's root folder. */
export const ROOT = resolve(import.meta.dirname, '..');

/** The source folder of the Cloud Functions. */
export const FUNCTIONS = join(ROOT, 'functions');

/** Files that can be made again at any time; git-ignored with node_modules. */
export const CACHE = join(ROOT, 'node_modules/.cache/hearth');
