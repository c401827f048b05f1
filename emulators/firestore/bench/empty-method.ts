/** A gRPC server with one method that takes nothing and answers nothing: the most that grpc-js can do here. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { EMPTY_SERVICE } from './empty-service.ts';

const server = new Server();
server.addService(EMPTY_SERVICE, {
  Call: (_call: unknown, answer: (error: null, response: Buffer) => void) => {
    answer(null, Buffer.alloc(0));
  },
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`Listening on 127.0.0.1:${String(port)}`);
});
process.on('SIGTERM', () => process.exit(0));
