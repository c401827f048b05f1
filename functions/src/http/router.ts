import { Router } from 'express';

/** A group of routes. Like the app it tells capitals from small letters: a guard for one spelling guards them all. */
export function createRouter(): Router {
  return Router({ caseSensitive: true });
}
