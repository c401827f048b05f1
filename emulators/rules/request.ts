import type { Expression, Method } from './ast.ts';
import type { DocumentAccess } from './documents.ts';
import type { EvaluationError } from './errors.ts';
import type { Query } from './queries/query.ts';
import type { TimestampValue, Value } from './value.ts';

/** A question for a ruleset: is this operation allowed? */
export interface RulesRequest {
  readonly service: 'cloud.firestore' | 'firebase.storage';
  readonly method: Method;
  /**
   * Segments of the path: of Firestore from `databases` on, of Storage from `b` on. For a query it is left out, as the
   * query has it.
   */
  readonly path?: readonly string[];
  /** The query that a Firestore `list` asks about. */
  readonly query?: Query;
  /** `request.auth`: null when signed out, else a map of `uid` and `token`. */
  readonly auth: Value;
  /** `request.time` */
  readonly time: TimestampValue;
  /** `resource`: what is stored there; null when nothing is. Firestore's is made by `resource` of documents.ts. */
  readonly resource?: Value;
  /** `request.resource`: what a write would leave there; null for a delete. Left out for reads. */
  readonly newResource?: Value;
  /**
   * For a write of Firestore, the facts about it before its document is read. They decide the text of a denial, never
   * the denial itself.
   */
  readonly unread?: Unread;
  /** Reads the documents that the rules ask for. */
  readonly documents: DocumentAccess;
  /** Called with every evaluated expression, innermost first, for coverage reports. */
  readonly trace?: Trace | undefined;
}

/** A write as far as it is known before the stored document is read. */
export interface Unread {
  /** The methods that the write may turn out to be. */
  readonly methods: readonly Method[];
  /** Whether `request.resource` depends on the stored document. */
  readonly isMerge: boolean;
}

export type Trace = (expression: Expression, outcome: Value | EvaluationError) => void;

/** How the condition of an `allow` statement came out. */
export interface Outcome {
  readonly result: 'true' | 'false' | 'error';
  /** Where the condition starts; of an `allow` without condition, where that starts. */
  readonly line: number;
  readonly column: number;
  /** The error, in the official runtime's words where they are known. */
  readonly message?: string;
  /** Set for an error that a value caused which is not known. */
  readonly isUndetermined?: boolean;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why the request is denied, in the form of the official emulator; empty when it is allowed. */
  readonly message: string;
  /** The conditions in the order in which they were tried. */
  readonly outcomes: readonly Outcome[];
}
