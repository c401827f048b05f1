import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';

/** A few files of somebody: a picture and a text. */
export async function demoFiles(name: string): Promise<File[]> {
  const picture = await readFile(join(ROOT, 'docs/images/dashboard.png'));
  return [
    new File([new Uint8Array(picture)], 'dashboard.png', { type: 'image/png' }),
    new File([`Welcome, ${name}.\n\nKeep the fire going.\n`], 'welcome.txt', { type: 'text/plain' }),
  ];
}
