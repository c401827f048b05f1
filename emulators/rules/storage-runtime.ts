/**
 * The program behind `java -jar cloud-storage-rules-runtime-vX.jar serve`: the Firebase CLI's Storage emulator asks
 * it, over standard input and output, whether an end user's request is allowed.
 */
import { createInterface } from 'node:readline';
import { createStorageRulesProtocol, denyAll, READY, type Response } from './storage-protocol.ts';

const answer = createStorageRulesProtocol(denyAll);

function send(response: Response): void {
  process.stdout.write(`${JSON.stringify(response)}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') send(answer(line));
});

send(READY);
