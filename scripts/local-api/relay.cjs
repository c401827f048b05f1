/**
 * Preloaded (`node --require`) into all processes of the Firebase CLI. The functions emulator starts a process for each request
 * in flight. Those of the function `api` become relays to the one server of server.ts here, which has loaded the
 * function already. All other processes run as they are. CommonJS, because it starts in half of the time.
 */
const process = require('node:process');
const { clearTimeout, setTimeout } = require('node:timers');

const RETRY_MS = 20;

/** A relay without connections for so long is idle. The emulator closes a connection five seconds after its last request. */
const IDLE_MS = 3000;

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
    // The emulator asks until the process answers. It does not read the answer, and so would keep the connection forever.
    if (request.url === '/__/health') response.setHeader('Connection', 'close').end();
    else pass(request, response, { onward: undefined });
  });
  // The emulator keeps its connections. Closing one could meet a request that it has just sent.
  server.keepAliveTimeout = 0;
  server.listen(process.env.PORT);
  endWhenIdle(server);
}

/**
 * Notifies the server when this process is idle, and ends when the server asks for it: after a burst of requests the
 * emulator would keep a process for each of them. See relays.ts here. Named pipes of Windows cannot be taken over.
 */
function endWhenIdle(server) {
  if (process.platform === 'win32') return;
  const state = { connections: 0, waiting: undefined, timer: undefined };
  const waitIdle = () => {
    clearTimeout(state.timer);
    if (state.connections === 0) state.timer = setTimeout(askForEnd, IDLE_MS, state, waitIdle);
  };
  server.on('connection', (connection) => {
    state.connections += 1;
    clearTimeout(state.timer);
    state.waiting?.destroy();
    connection.once('close', () => {
      state.connections -= 1;
      waitIdle();
    });
  });
  waitIdle();
}

function askForEnd(state, waitIdle) {
  const waiting = require('node:net').connect(`${socket}.idle`);
  state.waiting = waiting;
  waiting.on('error', () => undefined);
  // The server starts anew, or this process is no longer idle.
  waiting.once('close', waitIdle);
  waiting.once('data', () => {
    // Nothing is closed: that would remove the file of the address, which is now the server's.
    if (state.connections === 0) process.kill(process.pid, 'SIGKILL');
  });
  const startedAt = Date.now() - process.uptime() * 1000;
  waiting.write(`${JSON.stringify({ address: process.env.PORT, startedAt })}\n`);
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
