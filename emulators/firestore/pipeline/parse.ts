import { invalidArgument } from '../errors.ts';
import type { WirePipeline, WireStage } from '../wire/messages.ts';
import { notServed } from './refusal.ts';
import { compileSource, isSource } from './source.ts';
import { runPipeline } from './stages/stage.ts';
import type { Pipeline, Transform } from './stages/stage.ts';
import { compileStage } from './stages/stages.ts';

/**
 * Reads a pipeline of the database. Throws INVALID_ARGUMENT, or UNIMPLEMENTED for stages and functions that this server
 * does not have.
 */
export function parsePipeline({ stages: wire = [] }: WirePipeline, database: string): Pipeline {
  const [first, ...rest] = wire;
  if (!first) throw invalidArgument('A pipeline needs at least one stage.');
  const source = compileSource(first, rest, database);
  return { source, stages: rest.map((stage) => parseStage(stage, database)) };
}

function parseStage(stage: WireStage, database: string): Transform {
  const { name = '', args = [] } = stage;
  if (name === 'union') return union(args[0]?.pipelineValue, database);
  if (isSource(name)) throw invalidArgument(`The stage "${name}" must be the first one of a pipeline.`);
  const compiled = compileStage(stage);
  if (compiled) return compiled;
  throw notServed(`The stage "${name}"`);
}

function union(wire: WirePipeline | undefined, database: string): Transform {
  if (!wire) throw invalidArgument('The stage "union" needs a pipeline as its argument.');
  const other = parsePipeline(wire, database);
  return async (rows, reader) => [...rows, ...(await runPipeline(other, reader))];
}
