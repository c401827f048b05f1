import { METHODS } from '../ast.ts';
import { DocumentAccess, type DocumentReader } from '../documents.ts';
import { MAX_DOCUMENT_READS_FROM_STORAGE } from '../limits.ts';
import { loadRuleset, type Ruleset } from '../ruleset.ts';
import { NULL, type Value } from '../value.ts';
import { asArray, asObject, asString, issueText, type Message } from './messages.ts';
import { readDocumentFields, readExpressionValue } from './values.ts';

type Fields = Record<string, unknown>;

/**
 * Answers the requests of the Firebase CLI's Storage emulator, one JSON object a line (the CLI's side of it is
 * `lib/emulator/storage/rules/runtime.js` in firebase-tools). Handles a line and resolves when it was answered. Never
 * rejects: an invalid line is answered with status `error`.
 */
export function createStorageRulesProtocol(
  send: (message: Message) => void,
): (line: string) => Promise<void> {
  const rulesets = new Map<string, Ruleset>();
  const awaited = new Map<unknown, (answer: Fields) => void>();

  /** Asks the CLI for a document. It answers under the id of the request that needs it. */
  const readDocumentFor =
    (id: unknown): DocumentReader =>
    async ({ segments }) => {
      const answered = Promise.withResolvers<Fields>();
      awaited.set(id, answered.resolve);
      send({
        ...(typeof id === 'number' ? { server_request_id: id } : {}),
        action: 'fetch_firestore_document',
        status: 'ok',
        context: { path: `/${segments.join('/')}` },
        errors: [],
        warnings: [],
      });
      const { status, result } = await answered.promise;
      return status === 'ok' ? readDocumentFields(asObject(result, 'result')['fields']) : undefined;
    };

  return async (line) => {
    let request: Fields = {};
    try {
      request = asObject(JSON.parse(line), 'request');
      const resume = request['action'] === undefined ? awaited.get(request['id']) : undefined;
      if (resume !== undefined) {
        awaited.delete(request['id']);
        resume(request);
        return;
      }
      send({ ...envelope(request), ...(await answer(request, rulesets, readDocumentFor(request['id']))) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      send({ ...envelope(request), status: 'error', message, errors: [message], warnings: [] });
    }
  };
}

type Answer = Pick<Message, 'status' | 'result' | 'errors' | 'warnings'>;

async function answer(
  request: Fields,
  rulesets: Map<string, Ruleset>,
  read: DocumentReader,
): Promise<Answer> {
  const context = asObject(request['context'], 'context');
  const name = asString(context['rulesetName'], 'context.rulesetName');
  switch (request['action']) {
    case 'load_ruleset':
      return load(context, (ruleset) => rulesets.set(name, ruleset));
    case 'verify': {
      const ruleset = rulesets.get(name);
      if (ruleset === undefined) throw new Error(`Ruleset ${name} is not loaded`);
      return verify(ruleset, context, read);
    }
    default:
      throw new Error(`Unsupported action ${JSON.stringify(request['action'])}`);
  }
}

function load(context: Fields, keep: (ruleset: Ruleset) => void): Answer {
  const files = asArray(asObject(context['source'], 'context.source')['files'], 'context.source.files');
  if (files.length !== 1) throw new Error('context.source.files must have one file');
  const file = asObject(files[0], 'file');
  const fileName = asString(file['name'], 'file.name');
  const loaded = loadRuleset(asString(file['content'], 'file.content'));
  if ('issues' in loaded) {
    const errors = loaded.issues.filter(({ severity }) => severity === 'error');
    return { status: 'error', errors: errors.map((issue) => issueText(issue, fileName)), warnings: [] };
  }
  const { ruleset } = loaded;
  keep(ruleset);
  return {
    status: 'ok',
    result: { rulesVersion: Number(ruleset.version) },
    errors: [],
    warnings: ruleset.warnings.map(({ line, column, message }) => `${fileName}:${line}:${column} ${message}`),
  };
}

async function verify(ruleset: Ruleset, context: Fields, read: DocumentReader): Promise<Answer> {
  const methodName = asString(context['method'], 'context.method');
  const method = METHODS.find((known) => known === methodName);
  if (method === undefined) throw new Error(`Unsupported method ${methodName}`);
  const { request, resource } = readVariables(context['variables']);
  const time = request.get('time');
  if (time?.type !== 'timestamp') throw new Error('variables.request.time must be a timestamp');
  const { allowed, message, outcomes } = await ruleset.evaluate({
    service: 'firebase.storage',
    method,
    path: asString(context['path'], 'context.path')
      .split('/')
      .filter((segment) => segment !== ''),
    auth: request.get('auth') ?? NULL,
    time,
    resource,
    newResource: request.get('resource') ?? NULL,
    documents: new DocumentAccess(read, MAX_DOCUMENT_READS_FROM_STORAGE),
  });
  // A denial is a normal result of rules. Only an evaluation error is logged.
  const failed = !allowed && outcomes.some(({ result }) => result === 'error');
  return { status: 'ok', result: { permit: allowed }, errors: [], warnings: failed ? [message.trim()] : [] };
}

function readVariables(variables: unknown): { request: ReadonlyMap<string, Value>; resource: Value } {
  const { request, resource } = asObject(variables, 'context.variables');
  const read = readExpressionValue(request);
  if (read.type !== 'map') throw new Error('variables.request must be a map');
  return { request: read.entries, resource: resource === undefined ? NULL : readExpressionValue(resource) };
}

function envelope({ id, action }: Fields): Pick<Message, 'id' | 'action'> {
  return {
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof action === 'string' ? { action } : {}),
  };
}
