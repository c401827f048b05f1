import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import getPort, { clearLockedPorts } from 'get-port';

const POLL_MS = 50;

/** The options for a second stack. */
const FREE_PORTS = '--free-ports --project demo-second';

/** Every port of the local stack, with its purpose, the place to change it, and the default of the Firebase CLI. */
const PORTS = {
  hosting: { label: 'Hosting', setting: 'emulators.hosting.port in firebase.json', default: 5000 },
  functions: { label: 'Functions', setting: 'emulators.functions.port in firebase.json', default: 5001 },
  auth: { label: 'Auth', setting: 'emulators.auth.port in firebase.json', default: 9099 },
  firestore: { label: 'Firestore', setting: 'emulators.firestore.port in firebase.json', default: 8080 },
  firestoreWebsocket: {
    label: 'Firestore websocket',
    setting: 'emulators.firestore.websocketPort in firebase.json',
    default: 9150,
  },
  storage: { label: 'Storage', setting: 'emulators.storage.port in firebase.json', default: 9199 },
  eventarc: { label: 'Eventarc', setting: 'emulators.eventarc.port in firebase.json', default: 9299 },
  tasks: { label: 'Cloud Tasks', setting: 'emulators.tasks.port in firebase.json', default: 9499 },
  hub: { label: 'Emulator hub', setting: 'emulators.hub.port in firebase.json', default: 4400 },
  logging: { label: 'Logging', setting: 'emulators.logging.port in firebase.json', default: 4500 },
  ui: { label: 'Emulator UI', setting: 'emulators.ui.port in firebase.json', default: 4000 },
  stripe: { label: 'Stripe', setting: 'STRIPE_API_URL in functions/.env.<project id>', default: 12111 },
  inbox: { label: 'Inbox', setting: 'the environment variable HEARTH_INBOX_PORT', default: 8025 },
} as const;

export type PortName = keyof typeof PORTS;
export type StackPorts = Record<PortName, number>;

export const PORT_NAMES = Object.keys(PORTS) as PortName[];

/** The port of each part: as configured, else the default. */
export function portsFrom(configured: Partial<StackPorts>): StackPorts {
  const entries = PORT_NAMES.map((name) => [name, configured[name] ?? PORTS[name].default]);
  return Object.fromEntries(entries) as StackPorts;
}

/** True when nothing listens on the port of this machine, whatever its address. */
export async function isPortFree(port: number): Promise<boolean> {
  // `getPort` gives a port once, and then not again for some seconds.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

/** @throws Error with one line that names every port in use, its purpose and the place to change it. */
export async function assertPortsFree(ports: Partial<StackPorts>): Promise<void> {
  const entries = Object.entries(ports) as [PortName, number][];
  const free = await Promise.all(entries.map(([, port]) => isPortFree(port)));
  const used = entries.filter((_entry, index) => free[index] === false);
  const [first] = used;
  if (first === undefined) return;
  if (used.length === 1) {
    const { label, setting } = PORTS[first[0]];
    throw new Error(
      `Port ${first[1]} (${label}) is in use. Stop the program that holds it, change ${setting}, or add ${FREE_PORTS}.`,
    );
  }
  const list = used.map(([name, port]) => `${port} (${PORTS[name].label})`).join(', ');
  throw new Error(
    `Ports ${list} are in use. Is the stack running already? To start a second one, add ${FREE_PORTS}.`,
  );
}

/**
 * A free port for every part of the stack. They are taken from below the range that systems use for outgoing
 * connections, so that none of those gets in between this check and the emulators' start.
 */
export async function findFreePorts(): Promise<StackPorts> {
  const found = new Set<number>();
  while (found.size < PORT_NAMES.length) found.add(await getPort({ port: candidates(), exclude: found }));
  const numbers = [...found];
  return portsFrom(Object.fromEntries(PORT_NAMES.map((name, index) => [name, numbers[index]])));
}

function* candidates(): Generator<number> {
  for (;;) yield 12_500 + Math.floor(Math.random() * 20_000);
}

/** Resolves as soon as the port accepts connections, or the signal is aborted. */
export async function waitUntilOpen(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await accepts(port, signal))) await setTimeout(POLL_MS);
}

/** Resolves when nothing listens on any of the ports. @throws Error that names one still open after `withinMs`. */
export async function waitUntilFree(ports: readonly number[], withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (const port of ports) {
    while (!(await isPortFree(port))) {
      if (Date.now() > deadline) throw new Error(`Port ${port} is still open`);
      await setTimeout(POLL_MS);
    }
  }
}

async function accepts(port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
