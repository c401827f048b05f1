/**
 * The program behind `java -jar cloud-storage-rules-runtime-vX.jar serve`: the Firebase CLI's Storage emulator asks
 * it, over standard input and output, whether an end user's request is allowed.
 */
import { createInterface } from 'node:readline';
import { READY, type Message } from './messages.ts';
import { createStorageRulesProtocol } from './protocol.ts';

function send(message: Message): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

const handle = createStorageRulesProtocol(send);

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') void handle(line);
});

send(READY);
