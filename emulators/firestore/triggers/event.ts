import { randomUUID } from 'node:crypto';
import protobuf from 'protobufjs';
import type { Caller } from '../authentication.ts';
import { formatFieldPath } from '../model/field-path.ts';
import { documentName } from '../model/paths.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';
import { encodeDocument } from '../wire/document-codec.ts';
import { encodeJson } from '../wire/encode-json.ts';
import { messageTypes } from '../wire/schema.ts';
import { authContext } from './auth-context.ts';
import { changedFields } from './changed-fields.ts';
import type { Trigger } from './registration.ts';

/** One change for a function. */
export interface TriggerEvent {
  readonly change: DocumentChange;
  /** Microseconds since the epoch. */
  readonly time: number;
  readonly author: Caller;
}

/** A request to the functions emulator. */
export interface EventRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const encodeEvent = (trigger: Trigger, event: TriggerEvent): EventRequest =>
  trigger.generation === 1 ? backgroundEvent(trigger, event) : cloudEvent(trigger, event);

/** https://firebase.google.com/docs/reference/functions/firebase-functions.eventcontext */
function backgroundEvent({ database, eventType }: Trigger, { change, time }: TriggerEvent): EventRequest {
  const encode = (document: StoredDocument | undefined): unknown =>
    document
      ? encodeJson(messageTypes('GetDocument').response, encodeDocument(database, document), {
          numericEnums: false,
        })
      : {};
  const mask = maskOf(change);
  const body = {
    context: {
      eventId: randomUUID(),
      timestamp: timestampOf(time),
      eventType,
      resource: { service: 'firestore.googleapis.com', name: documentName(database, change.path) },
    },
    data: {
      value: encode(change.after),
      oldValue: encode(change.before),
      ...(mask && { updateMask: { fieldPaths: mask } }),
    },
  };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * A CloudEvent in binary mode: attributes in headers, DocumentEventData in the body, which the functions emulator
 * expects in base64. https://github.com/googleapis/google-cloudevents
 */
function cloudEvent(trigger: Trigger, { change, time, author }: TriggerEvent): EventRequest {
  const { database, project, eventType, withAuthContext } = trigger;
  const attributes: Record<string, string> = {
    specversion: '1.0',
    id: randomUUID(),
    source: `//firestore.googleapis.com/${database}`,
    type: eventType,
    time: timestampOf(time),
    subject: `documents/${change.path}`,
    dataschema: DATA_SCHEMA,
    project,
    database: database.slice(database.lastIndexOf('/') + 1),
    namespace: '(default)',
    document: change.path,
    location: 'nam5',
    ...(withAuthContext && authContext(author, project)),
  };
  const headers = Object.entries(attributes).map(
    ([name, value]) => [`ce-${name}`, headerValue(value)] as const,
  );
  return {
    headers: { 'content-type': 'application/protobuf', ...Object.fromEntries(headers) },
    body: Buffer.from(eventData(database, change)).toString('base64'),
  };
}

const DATA_SCHEMA =
  'https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto';

/**
 * Characters that a header cannot carry and the percent sign are percent-encoded: CloudEvents HTTP binding, section
 * 3.1.3.2.
 */
const headerValue = (value: string): string => value.replace(/[^\x21-\x24\x26-\x7e]+/g, encodeURIComponent);

/** google.events.cloud.firestore.v1.DocumentEventData, whose Document is google.firestore.v1's on the wire. */
function eventData(database: string, change: DocumentChange): Uint8Array {
  const writer = protobuf.Writer.create();
  const { response: type } = messageTypes('GetDocument');
  const write = (field: number, document: StoredDocument | undefined): void => {
    if (!document) return;
    const message = type.fromObject(encodeDocument(database, document));
    writer.uint32(tag(field)).bytes(type.encode(message).finish());
  };
  write(1, change.after);
  write(2, change.before);
  const mask = maskOf(change);
  if (mask) {
    writer.uint32(tag(3)).fork();
    for (const path of mask) writer.uint32(tag(1)).string(path);
    writer.ldelim();
  }
  return writer.finish();
}

const LENGTH_DELIMITED = 2;
const tag = (field: number): number => (field << 3) | LENGTH_DELIMITED;

const maskOf = ({ before, after }: DocumentChange): string[] | undefined =>
  before && after && changedFields(before.fields, after.fields).map(formatFieldPath);

function timestampOf(micros: number): string {
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return new Date(Math.floor(micros / 1_000)).toISOString().replace(/\.\d+Z$/, `.${fraction}Z`);
}
