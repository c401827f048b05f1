import protobuf from 'protobufjs';
import { invalidArgument } from '../errors.ts';
import { decodeJson, fieldNamed } from '../wire/decode-json.ts';
import { messageTypes } from '../wire/schema.ts';
import type { MatchedRoute } from './routes.ts';

type Json = Record<string, unknown>;

/** Query parameters for the HTTP layer: https://cloud.google.com/apis/docs/system-parameters */
const SYSTEM_PARAMETERS = new Set([
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
]);

/** Puts the request message together from path, query and body. Throws INVALID_ARGUMENT. */
export function buildRequest(
  { route, variables }: MatchedRoute,
  query: URLSearchParams,
  body: unknown,
): object {
  const { request: type } = messageTypes(route.method.name);
  const json = startingWith(route.body, body);
  for (const [name, value] of query) {
    if (!name.startsWith('$') && !SYSTEM_PARAMETERS.has(name)) setField(type, json, name, value);
  }
  for (const [field, value] of variables) setField(type, json, field, value);
  return decodeJson(type, json);
}

function startingWith(field: string | undefined, body: unknown): Json {
  const content = body ?? {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw invalidArgument('Invalid JSON payload received. The body must be an object.');
  }
  if (field === undefined) return {};
  return field === '*' ? { ...content } : { [field]: { ...content } };
}

/** Sets the field of a dotted path; a repeated one takes one more element. */
function setField(root: protobuf.Type, json: Json, path: string, value: string): void {
  const names = path.split('.');
  let type = root;
  let at = json;
  for (const [index, name] of names.entries()) {
    const field = fieldNamed(type, name)?.resolve();
    if (!field) {
      throw invalidArgument(
        `Invalid JSON payload received. Unknown name "${path}": Cannot bind query parameter. ` +
          `Field '${path}' could not be found in request message.`,
      );
    }
    if (index === names.length - 1) {
      setLeaf(at, field, value);
    } else if (field.resolvedType instanceof protobuf.Type && !field.repeated) {
      type = field.resolvedType;
      at = (at[field.name] ??= {}) as Json;
    } else throw invalidArgument(`"${path}" leads through a field that is no message.`);
  }
}

function setLeaf(json: Json, field: protobuf.Field, text: string): void {
  const value = field.type === 'bool' && /^(true|false)$/.test(text) ? text === 'true' : text;
  if (!field.repeated) json[field.name] = value;
  else json[field.name] = [...((json[field.name] as unknown[] | undefined) ?? []), value];
}
