import { invalidArgument } from '../errors.ts';
import { exportProject } from '../export/write-export.ts';
import { documentName, isBelow, parseDatabaseName } from '../model/paths.ts';
import { parseBackgroundTrigger, parseEventarcTrigger } from '../triggers/registration.ts';
import { parseWrite } from '../write/write.ts';
import { ok } from './route.ts';
import type { ControlEndpoint, ControlRoute } from './route.ts';
import { reportCoverage, setRules, showCoverage } from './rules.ts';

const clearDocuments: ControlEndpoint = ({ store }, { params: [project = '', database = ''] }) => {
  store.clear(`projects/${project}/databases/${database}`);
  return ok({});
};

/** Deletes a document or collection with everything below it, as the Emulator UI asks for. Triggers run. */
const deleteRecursively: ControlEndpoint = async (
  { store },
  { params: [project = '', id = '', path = ''] },
) => {
  const { database, transactions } = store.open(parseDatabaseName(`projects/${project}/databases/${id}`));
  const documents = [...database.scan({ parent: '', collectionId: undefined, allDescendants: true })];
  const writes = documents
    .filter((document) => document.path === path || isBelow(document.path, path))
    .map((document) => parseWrite({ delete: documentName(database.name, document.path) }, database.name));
  await transactions.commitWrites(writes);
  return ok({});
};

const registerTrigger: ControlEndpoint = ({ triggers }, { params: [project = '', key = ''], body }) => {
  triggers.register(parseBackgroundTrigger(project, key, body));
  return ok({});
};

const registerEventarcTrigger: ControlEndpoint = ({ triggers }, { params: [project = ''], query, body }) => {
  triggers.register(parseEventarcTrigger(project, query.get('eventarcTriggerId') ?? '', body));
  return ok({});
};

const reportUsage: ControlEndpoint = ({ ledger }, { params: [project = ''], query }) =>
  ok(ledger.ofProject(project, query.get('label') ?? undefined));

const resetUsage: ControlEndpoint = ({ ledger }, { params: [project = ''] }) => {
  ledger.reset(project);
  return ok({});
};

interface ExportBody {
  readonly export_directory?: unknown;
  readonly export_name?: unknown;
}

const exportDocuments: ControlEndpoint = async ({ store }, { params: [project = ''], body }) => {
  const { export_directory: directory, export_name: name } = (body as ExportBody | null) ?? {};
  if (typeof directory !== 'string' || typeof name !== 'string') {
    throw invalidArgument('An export needs export_directory and export_name.');
  }
  await exportProject(store.databasesOf(project), directory, name);
  return ok({});
};

const PROJECT = /^\/emulator\/v1\/projects\/([^/:]+)/.source;
const below = (rest: RegExp): RegExp => new RegExp(`${PROJECT}${rest.source}$`);

/** A project or one of its databases, with its full name as the parameter. */
const inScope = (rest: RegExp): RegExp =>
  new RegExp(`^/emulator/v1/(projects/[^/:]+(?:/databases/[^/:]+)?)${rest.source}$`);

export const routes: readonly ControlRoute[] = [
  { method: 'GET', pattern: /^\/$/, handle: () => ok('Ok\n') },
  { method: 'PUT', pattern: inScope(/:securityRules/), handle: setRules },
  { method: 'GET', pattern: inScope(/:ruleCoverage/), handle: reportCoverage },
  { method: 'GET', pattern: inScope(/:ruleCoverage\.html/), handle: showCoverage },
  { method: 'DELETE', pattern: below(/\/databases\/([^/]+)\/documents/), handle: clearDocuments },
  { method: 'DELETE', pattern: below(/\/databases\/([^/]+)\/documents\/(.+)/), handle: deleteRecursively },
  { method: 'PUT', pattern: below(/\/triggers\/([^/]+)/), handle: registerTrigger },
  { method: 'POST', pattern: below(/\/eventarcTrigger/), handle: registerEventarcTrigger },
  { method: 'GET', pattern: below(/:usage/), handle: reportUsage },
  { method: 'DELETE', pattern: below(/:usage/), handle: resetUsage },
  { method: 'POST', pattern: below(/:export/), handle: exportDocuments },
];
