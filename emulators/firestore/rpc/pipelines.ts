import { invalidArgument, permissionDenied } from '../errors.ts';
import { documentName, parseDatabaseName } from '../model/paths.ts';
import { isMap } from '../model/value.ts';
import { constantOf } from '../pipeline/expression.ts';
import { parsePipeline } from '../pipeline/parse.ts';
import type { Row } from '../pipeline/row.ts';
import { runPipeline } from '../pipeline/stages/stage.ts';
import { openView } from '../transactions/view.ts';
import type { ConsistencySelector, WireExpression, WirePipeline } from '../wire/messages.ts';
import { encodeFields, encodeMicros } from '../wire/value-codec.ts';
import type { RequestContext } from './context.ts';

interface PipelineRequest extends ConsistencySelector {
  database?: string;
  structuredPipeline?: { pipeline?: WirePipeline; options?: Record<string, WireExpression> };
}

const BATCH = 100;

/** Runs the stages of a pipeline, one after the other. */
export async function executePipeline(
  context: RequestContext,
  request: PipelineRequest,
): Promise<Iterable<object>> {
  const { store, ledger, guard } = context;
  const database = parseDatabaseName(request.database ?? '');
  const { pipeline: wire, options = {} } = request.structuredPipeline ?? {};
  if (!wire) throw invalidArgument('only structured pipelines are supported');
  const mode = explainMode(options['explain_options']);
  if (mode !== 'execute' && guard) throw permissionDenied('Only administrators may explain pipelines.');
  const pipeline = parsePipeline(wire, database);
  if (mode === 'explain') return [{ explainStats: explainStats(wire) }];
  const view = openView(store.open(database), request, guard);
  let read = 0;
  const rows = await runPipeline(pipeline, {
    view,
    context: { database, time: view.readTime() },
    count: (documents) => {
      read += documents;
    },
  });
  const reads = ledger.query(database, read);
  const executionTime = encodeMicros(view.readTime());
  const started = view.started ? [{ transaction: Buffer.from(view.started.token), executionTime }] : [];
  const batches = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) => ({
    results: rows.slice(index * BATCH, (index + 1) * BATCH).map(encodeRow),
    executionTime,
  }));
  const messages = [...started, ...(batches.length > 0 ? batches : [{ results: [], executionTime }])];
  if (mode === 'execute') return messages;
  const stats = explainStats(wire, { results: rows.length, reads });
  return [...messages.slice(0, -1), { ...messages.at(-1), explainStats: stats }];
}

function encodeRow({ context, path, fields, createTime, updateTime }: Row): object {
  return {
    ...(path !== undefined && { name: documentName(context.database, path) }),
    fields: encodeFields(fields),
    ...(createTime !== undefined && { createTime: encodeMicros(createTime) }),
    ...(updateTime !== undefined && { updateTime: encodeMicros(updateTime) }),
  };
}

function explainMode(options: WireExpression | undefined): string {
  const map = constantOf(options);
  const mode = isMap(map) ? map.get('mode') : undefined;
  if (mode === undefined) return 'execute';
  if (mode === 'execute' || mode === 'explain' || mode === 'analyze') return mode;
  throw invalidArgument('The mode of explain_options must be execute, explain or analyze.');
}

/** The stages as a text, the only format, and after an execution its counts. */
function explainStats(
  { stages = [] }: WirePipeline,
  counts?: { readonly results: number; readonly reads: number },
): object {
  const lines = stages.map(({ name = '' }) => `• ${name}`);
  const execution = counts
    ? ['', 'Execution:', ` results returned: ${counts.results}`, ` read operations: ${counts.reads}`]
    : [];
  const text = Buffer.from(['Stages:', ...lines, ...execution].join('\n'));
  return {
    data: {
      type_url: 'type.googleapis.com/google.protobuf.StringValue',
      value: Buffer.concat([Buffer.from([STRING_FIELD, ...varint(text.length)]), text]),
    },
  };
}

/** The first field of a message, of the type string. */
const STRING_FIELD = 0x0a;

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
