/**
 * Preloaded (`node --require`) into all processes of the Firebase CLI. The functions emulator starts a process for each request
 * in flight. Those of the function `api` become relays to the one server of server.ts here, which has loaded the
 * function already. All other processes run as they are. CommonJS, because it starts in half of the time.
 */
const process = require('node:process');
const { setTimeout } = require('node:timers');

const RETRY_MS = 20;

const socket = process.env.HEARTH_API_SOCKET;
const isFunction = process.argv[1]?.endsWith('functionsEmulatorRuntime') === true;

if (socket !== undefined && isFunction && process.env.FUNCTION_TARGET === 'api') {
  // The emulator's own program for functions is not loaded.
  require('node:module').registerHooks({
    load: (url, context, next) =>
      url.includes('functionsEmulatorRuntime')
        ? { format: 'commonjs', source: '', shortCircuit: true }
        : next(url, context),
  });
  serve();
}

function serve() {
  const { createServer } = require('node:http');
  const server = createServer((request, response) => {
    // The emulator asks until the process answers.
    if (request.url === '/__/health') response.end();
    else pass(request, response, { onward: undefined });
  });
  // The emulator keeps its connections. Closing one could meet a request that it has just sent.
  server.keepAliveTimeout = 0;
  server.listen(process.env.PORT);
}

/**
 * Passes a request to the server. While that starts anew the request waits.
 *
 * @param state the current attempt; ended with the response
 */
function pass(request, response, state) {
  if (state.onward === undefined) response.once('close', () => state.onward.destroy());
  if (response.destroyed) return;
  const { method, url: path, headers } = request;
  // Always a new connection: an old one may belong to a server that is ending.
  const options = { socketPath: socket, method, path, headers, agent: false };
  const onward = require('node:http').request(options, (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', ({ code }) => {
    if (code === 'ECONNREFUSED' || code === 'ENOENT') setTimeout(pass, RETRY_MS, request, response, state);
    else if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  // A body is sent once there is a connection, so that it is still there for another attempt.
  onward.on('socket', (connection) => connection.once('connect', () => request.pipe(onward)));
  state.onward = onward;
}
