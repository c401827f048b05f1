/**
 * The parts of google.firestore.v1 that the server reads and writes, as proto-loader gives them with int64 and enums
 * as strings, bytes as Buffers and unset fields absent.
 */
export interface WireTimestamp {
  seconds?: string | number;
  nanos?: number;
}

export interface WireValue {
  nullValue?: 'NULL_VALUE';
  booleanValue?: boolean;
  integerValue?: string;
  doubleValue?: number;
  timestampValue?: WireTimestamp;
  stringValue?: string;
  bytesValue?: Uint8Array;
  referenceValue?: string;
  geoPointValue?: { latitude?: number; longitude?: number };
  arrayValue?: { values?: WireValue[] };
  mapValue?: { fields?: Record<string, WireValue> };
}

/** A Value in a pipeline, which may be an expression. */
export interface WireExpression extends WireValue {
  fieldReferenceValue?: string;
  variableReferenceValue?: string;
  functionValue?: WireFunction;
  pipelineValue?: WirePipeline;
  arrayValue?: { values?: WireExpression[] };
  mapValue?: { fields?: Record<string, WireExpression> };
}

export interface WireFunction {
  name?: string;
  args?: WireExpression[];
  options?: Record<string, WireExpression>;
}

export interface WireStage {
  name?: string;
  args?: WireExpression[];
  options?: Record<string, WireExpression>;
}

export interface WirePipeline {
  stages?: WireStage[];
}

export interface WireDocument {
  name?: string;
  fields?: Record<string, WireValue>;
  createTime?: WireTimestamp;
  updateTime?: WireTimestamp;
}

export interface WireMask {
  fieldPaths?: string[];
}

export interface WirePrecondition {
  exists?: boolean;
  updateTime?: WireTimestamp;
}

export interface WireFieldTransform {
  fieldPath?: string;
  setToServerValue?: string;
  increment?: WireValue;
  maximum?: WireValue;
  minimum?: WireValue;
  appendMissingElements?: { values?: WireValue[] };
  removeAllFromArray?: { values?: WireValue[] };
}

export interface WireWrite {
  update?: WireDocument;
  delete?: string;
  /** Sent by client SDKs: a document whose precondition is checked and that does not change. */
  verify?: string;
  transform?: { document?: string; fieldTransforms?: WireFieldTransform[] };
  updateMask?: WireMask;
  updateTransforms?: WireFieldTransform[];
  currentDocument?: WirePrecondition;
}

export interface WireWriteResult {
  updateTime?: WireTimestamp;
  transformResults?: WireValue[];
}

export interface WireTransactionOptions {
  readOnly?: { readTime?: WireTimestamp };
  readWrite?: { retryTransaction?: Uint8Array };
}

/** The ways a read can name the state it wants to see. */
export interface ConsistencySelector {
  transaction?: Uint8Array;
  newTransaction?: WireTransactionOptions;
  readTime?: WireTimestamp;
}

export interface WireFieldReference {
  fieldPath?: string;
}

export interface WireFieldFilter {
  field?: WireFieldReference;
  op?: string;
  value?: WireValue;
}

export interface WireFilter {
  compositeFilter?: { op?: string; filters?: WireFilter[] };
  fieldFilter?: WireFieldFilter;
  unaryFilter?: { op?: string; field?: WireFieldReference };
}

export interface WireOrder {
  field?: WireFieldReference;
  direction?: string;
}

export interface WireCursor {
  values?: WireValue[];
  before?: boolean;
}

export interface WireFindNearest {
  vectorField?: WireFieldReference;
  queryVector?: WireValue;
  distanceMeasure?: string;
  limit?: { value?: number };
  distanceResultField?: string;
  distanceThreshold?: { value?: number };
}

export interface WireStructuredQuery {
  select?: { fields?: WireFieldReference[] };
  from?: { collectionId?: string; allDescendants?: boolean }[];
  where?: WireFilter;
  orderBy?: WireOrder[];
  startAt?: WireCursor;
  endAt?: WireCursor;
  offset?: number;
  limit?: { value?: number };
  findNearest?: WireFindNearest;
}

export interface WireAggregation {
  count?: { upTo?: { value?: string } };
  sum?: { field?: WireFieldReference };
  avg?: { field?: WireFieldReference };
  alias?: string;
}

export interface WireTarget {
  query?: { parent?: string; structuredQuery?: WireStructuredQuery };
  documents?: { documents?: string[] };
  resumeToken?: Uint8Array;
  readTime?: WireTimestamp;
  targetId?: number;
  once?: boolean;
}

export interface WireListenRequest {
  database?: string;
  addTarget?: WireTarget;
  removeTarget?: number;
}

export interface WireWriteRequest {
  database?: string;
  streamId?: string;
  writes?: WireWrite[];
  streamToken?: Uint8Array;
}
