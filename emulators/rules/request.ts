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
   * Segments of the path: from `databases` on for Firestore, from `b` on for Storage. Left out for a query, which has
   * its own path.
   */
  readonly path?: readonly string[];
  /** The query that a Firestore `list` asks about. */
  readonly query?: Query;
  /** `request.auth`: null when signed out, else a map of `uid` and `token`. */
  readonly auth: Value;
  /** `request.time` */
  readonly time: TimestampValue;
  /**
   * `resource`: the stored document or object; null if there is none. For Firestore it is made by `resource` of
   * documents.ts.
   */
  readonly resource?: Value;
  /** `request.resource`: the document or object after the write; null for a delete. Left out for reads. */
  readonly newResource?: Value;
  /**
   * For a write of Firestore: the facts that are known before its document is read. They affect only the text of a
   * denial.
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

/** The outcome of the condition of an `allow` statement. */
export interface Outcome {
  readonly result: 'true' | 'false' | 'error';
  /** The start of the condition, or of an `allow` without one. */
  readonly line: number;
  readonly column: number;
  /** The error, in the official runtime's words where they are known. */
  readonly message?: string;
  /** True if the error is that a value is not known. */
  readonly isUndetermined?: boolean;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why the request is denied, in the form of the official emulator; empty when it is allowed. */
  readonly message: string;
  /** The conditions in the order in which they were tried. */
  readonly outcomes: readonly Outcome[];
}
