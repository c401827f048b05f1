/** A Cloud Storage that discards all bytes, in a process of its own. */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startSink(): Promise<{ url: string; close: () => Promise<void> }> {
  const child = fork(import.meta.filename);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

if (import.meta.main) {
  const server = createServer((request, response) => {
    let head = '';
    const hash = createHash('md5');
    request.on('data', (chunk: Buffer) => {
      if (head.length < 4_000) head += chunk.toString('latin1', 0, 4_000);
      hash.update(chunk);
    });
    request.on('end', () => {
      // Storage answers with the checksum of what it has stored, which the sender has sent before.
      const md5Hash = /"md5Hash":"([^"]+)"/.exec(head)?.[1];
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ md5Hash }));
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}
