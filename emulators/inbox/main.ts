/** `node main.ts --project ID`: the mail of a running stack on a page. */
import { parseArgs } from 'node:util';
import { startInbox } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8025' },
    project: { type: 'string' },
    firestore: { type: 'string', default: '127.0.0.1:8080' },
    auth: { type: 'string', default: '127.0.0.1:9099' },
    'action-url': { type: 'string' },
  },
});
const { firestore, auth, project: projectId, 'action-url': actionUrl } = values;
if (projectId === undefined) throw new Error('--project is missing: the id of the Firebase project');
const inbox = await startInbox({ port: Number(values.port), projectId, firestore, auth, actionUrl });
console.log(`Inbox: ${inbox.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void inbox.close().finally(() => process.exit(0));
  });
}
