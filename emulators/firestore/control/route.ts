import type { Ledger } from '../ledger.ts';
import type { Rulesets } from '../rules/rulesets/rulesets.ts';
import type { Store } from '../store.ts';
import type { TriggerDispatcher } from '../triggers/dispatcher.ts';

/** The parts of the server that the control endpoints use. */
export interface ControlState {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly triggers: TriggerDispatcher;
  readonly rulesets: Rulesets;
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
  /** A text, or an object that is sent as JSON. */
  readonly body: unknown;
  /** The type of a text; `text/plain` by default. */
  readonly contentType?: string;
}

/** Answers a request. A thrown StatusError becomes its answer. */
export type ControlEndpoint = (
  state: ControlState,
  request: ControlRequest,
) => ControlResponse | Promise<ControlResponse>;

export interface ControlRoute {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handle: ControlEndpoint;
}

export const ok = (body: unknown): ControlResponse => ({ status: 200, body });
