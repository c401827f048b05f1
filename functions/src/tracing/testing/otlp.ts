import { parse } from 'protobufjs';

/**
 * The part of the protocol that the tests read.
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
const { root } = parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    SpanKind kind = 6;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  enum SpanKind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; CONSUMER = 5; }
  message Status { StatusCode code = 3; }
  enum StatusCode { UNSET = 0; OK = 1; ERROR = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`);

const REQUEST = root.lookupType('Request');

type Attributes = Record<string, string | number | boolean>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** '' for a span without a parent. */
  parentId: string;
  name: string;
  kind: string;
  status: string;
  attributes: Attributes;
  resource: Attributes;
}

interface WireAttribute {
  key: string;
  value: Attributes;
}

interface WireSpan {
  traceId: Buffer;
  spanId: Buffer;
  parentSpanId?: Buffer;
  name: string;
  kind: string;
  status?: { code?: string };
  attributes?: WireAttribute[];
}

interface WireRequest {
  resourceSpans: { resource: { attributes: WireAttribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

/** The spans in the body of an export in protobuf. */
export function decodeSpans(body: Uint8Array): ReceivedSpan[] {
  const { resourceSpans } = REQUEST.toObject(REQUEST.decode(body), {
    enums: String,
    longs: Number,
    bytes: Buffer,
  }) as WireRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, status, attributes }) => ({
        traceId: traceId.toString('hex'),
        spanId: spanId.toString('hex'),
        parentId: parentSpanId?.toString('hex') ?? '',
        name,
        kind,
        status: status?.code ?? 'UNSET',
        attributes: attributesOf(attributes),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function attributesOf(list: WireAttribute[] = []): Attributes {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}
