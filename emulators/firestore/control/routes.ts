import type { Ledger } from '../ledger.ts';
import type { Store } from '../store.ts';

/** A function that the functions emulator wants to be told of document changes. */
export interface TriggerRegistration {
  readonly project: string;
  readonly key: string;
  readonly definition: unknown;
}

/** What the control endpoints read and change. */
export class ControlState {
  readonly store: Store;
  readonly ledger: Ledger;
  /** Source of the security rules as last set. */
  rules: string | undefined;
  readonly triggers = new Map<string, TriggerRegistration>();

  constructor(store: Store, ledger: Ledger, rules: string | undefined) {
    this.store = store;
    this.ledger = ledger;
    this.rules = rules;
  }
}

export interface ControlRequest {
  /** The path's variable parts. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  /** Parsed JSON, or null. */
  readonly body: unknown;
}

export interface ControlResponse {
  readonly status: number;
  /** Text, or what is sent as JSON. */
  readonly body: unknown;
}

interface ControlRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handle: (state: ControlState, request: ControlRequest) => ControlResponse;
}

const ok = (body: unknown): ControlResponse => ({ status: 200, body });

export const routes: readonly ControlRoute[] = [
  { method: 'GET', pattern: /^\/$/, handle: () => ok('Ok\n') },
  { method: 'PUT', pattern: /^\/emulator\/v1\/projects\/([^/]+):securityRules$/, handle: setRules },
  {
    method: 'DELETE',
    pattern: /^\/emulator\/v1\/projects\/([^/]+)\/databases\/([^/]+)\/documents$/,
    handle: clearDocuments,
  },
  {
    method: 'PUT',
    pattern: /^\/emulator\/v1\/projects\/([^/]+)\/triggers\/([^/]+)$/,
    handle: registerTrigger,
  },
  {
    method: 'POST',
    pattern: /^\/emulator\/v1\/projects\/([^/]+)\/eventarcTrigger$/,
    handle: registerEventarcTrigger,
  },
  { method: 'GET', pattern: /^\/emulator\/v1\/projects\/([^/]+):usage$/, handle: reportUsage },
  { method: 'POST', pattern: /^\/emulator\/v1\/projects\/([^/]+):export$/, handle: refuseExport },
];

interface RulesBody {
  readonly rules?: { readonly files?: readonly { readonly content?: string }[] };
}

/** The CLI prints `issues`; none are found while no rules engine reads the source. */
function setRules(state: ControlState, { body }: ControlRequest): ControlResponse {
  const content = (body as RulesBody | null)?.rules?.files?.[0]?.content;
  if (typeof content !== 'string') {
    return invalid('The body must hold the rules source in rules.files[0].content.');
  }
  state.rules = content;
  return ok({ issues: [] });
}

function clearDocuments(
  state: ControlState,
  { params: [project, database] }: ControlRequest,
): ControlResponse {
  state.store.clear(`projects/${project ?? ''}/databases/${database ?? ''}`);
  return ok({});
}

function registerTrigger(
  state: ControlState,
  { params: [project, key], body }: ControlRequest,
): ControlResponse {
  return keepTrigger(state, project, key, body);
}

function registerEventarcTrigger(
  state: ControlState,
  { params: [project], query, body }: ControlRequest,
): ControlResponse {
  return keepTrigger(state, project, query.get('eventarcTriggerId') ?? undefined, body);
}

/** Registrations are kept but no events are delivered yet, which the log says once for each function. */
function keepTrigger(
  state: ControlState,
  project: string | undefined,
  key: string | undefined,
  definition: unknown,
): ControlResponse {
  if (project === undefined || key === undefined) return invalid('The trigger must have an id.');
  state.triggers.set(`${project}/${key}`, { project, key, definition });
  console.warn(`Firestore trigger ${key} is registered, but this emulator does not deliver events yet.`);
  return ok({});
}

function reportUsage(state: ControlState, { params: [project] }: ControlRequest): ControlResponse {
  return ok(state.ledger.ofProject(project ?? ''));
}

function refuseExport(): ControlResponse {
  const message = 'Exporting data is not implemented in this emulator.';
  return { status: 501, body: { error: { code: 501, status: 'UNIMPLEMENTED', message } } };
}

function invalid(message: string): ControlResponse {
  return { status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT', message } } };
}
