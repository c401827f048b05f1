import type { Ledger } from '../ledger.ts';
import type { Rulesets } from '../rules/rulesets.ts';
import type { Store } from '../store.ts';
import type { TriggerDispatcher } from '../triggers/dispatcher.ts';

/** What the control endpoints read and change. */
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
  /** Text, or what is sent as JSON. */
  readonly body: unknown;
  /** Of text; plain when left out. */
  readonly contentType?: string;
}

/** Answers a request; a StatusError is answered as such. */
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
