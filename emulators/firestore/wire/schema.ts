import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import protobuf from 'protobufjs';

const SERVICE = 'google.firestore.v1.Firestore';

/** The part of protobufjs' JSON form that is looked into here. */
interface Descriptor {
  readonly nested?: Readonly<Record<string, Descriptor>>;
  readonly fields?: Record<string, { readonly type: string; readonly id: number }>;
  readonly oneofs?: Readonly<Record<string, { readonly oneof: string[] }>>;
}

/** The messages and the service as the installed client library defines them. */
function readDescriptors(): object {
  const library = path.dirname(
    createRequire(import.meta.url).resolve('@google-cloud/firestore/package.json'),
  );
  const file = path.join(library, 'build', 'protos', 'v1.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as Descriptor;
  addVerify(json);
  return json;
}

/** Client SDKs verify documents that a transaction has only read by an operation that the public protos leave out. */
function addVerify(root: Descriptor): void {
  const write = root.nested?.['google']?.nested?.['firestore']?.nested?.['v1']?.nested?.['Write'];
  if (!write?.fields || !write.oneofs?.['operation'])
    throw new Error('The installed protos define no Write.');
  write.fields['verify'] = { type: 'string', id: 5 };
  write.oneofs['operation'].oneof.push('verify');
}

/** For gRPC: int64 and enums as strings, bytes as Buffers, unset fields absent. */
export function loadServiceDefinition(): ServiceDefinition {
  const json = readDescriptors() as Parameters<typeof fromJSON>[0];
  const service = fromJSON(json, { longs: String, enums: String })[SERVICE];
  if (!service || 'format' in service) throw new Error(`The installed protos do not define ${SERVICE}.`);
  return service;
}

let service: protobuf.Service | undefined;

/** For JSON: the service with the types of its messages. Read when first needed, as many servers see gRPC only. */
export function serviceDescriptor(): protobuf.Service {
  service ??= protobuf.Root.fromJSON(readDescriptors()).resolveAll().lookupService(SERVICE);
  return service;
}

/** The types of a method's messages. */
export function messageTypes(method: string): { request: protobuf.Type; response: protobuf.Type } {
  const { resolvedRequestType: request, resolvedResponseType: response } =
    serviceDescriptor().methods[method] ?? {};
  if (!request || !response) throw new Error(`The installed protos do not define the method ${method}.`);
  return { request, response };
}
