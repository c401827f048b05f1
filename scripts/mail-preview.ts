/** `npm run mail [-- --port 8026]`: shows every mail of the service on a local page. */
import { parseArgs } from 'node:util';
import { createPreviewServer } from './mail-preview/server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8026' } } });
const port = Number(values.port);

createPreviewServer()
  .once('error', (error) => {
    console.error(`The preview cannot listen on port ${port}: ${error.message}`);
    process.exitCode = 1;
  })
  .listen(port, '127.0.0.1', () => {
    console.log(`Mail preview: http://127.0.0.1:${port}/`);
  });
