/**
 * A gRPC server without an engine: a method that takes nothing and answers nothing, which is the most that grpc-js can
 * do here, and the methods of Firestore that the bench calls, which read their requests and always answer the same
 * messages.
 */
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { loadServiceDefinition } from '../wire/schema.ts';
import { EMPTY_SERVICE } from './empty-service.ts';

type Answer<Response> = (error: null, response: Response) => void;

/** The number of messages that the bench asks for. */
const RESULTS = 10;

const time = { seconds: 1_800_000_000, nanos: 1_000 };
const document = {
  name: 'projects/demo-bench/databases/(default)/documents/items/000001',
  fields: {
    group: { integerValue: '1' },
    position: { integerValue: '1' },
    text: { stringValue: 'x'.repeat(960) },
  },
  createTime: time,
  updateTime: time,
};

const server = new Server();
server.addService(EMPTY_SERVICE, {
  Call: (_call: unknown, answer: Answer<Buffer>) => {
    answer(null, Buffer.alloc(0));
  },
});
server.addService(loadServiceDefinition(), {
  GetDocument: (_call: unknown, answer: Answer<object>) => {
    answer(null, document);
  },
  Commit: (_call: unknown, answer: Answer<object>) => {
    answer(null, { writeResults: [{ updateTime: time }], commitTime: time });
  },
  RunQuery: (call: ServerWritableStream<object, object>) => {
    for (let index = 0; index < RESULTS; index++) call.write({ document, readTime: time });
    call.write({ readTime: time });
    call.end();
  },
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`Listening on 127.0.0.1:${String(port)}`);
});
process.on('SIGTERM', () => process.exit(0));
