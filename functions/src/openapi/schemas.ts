import * as z from 'zod';

/** A JSON Schema, with types for the keywords that this code reads. zod also writes other keywords. */
export interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Turns zod's schemas into JSON Schema, and collects those with an id (`.meta({ id })`) as components. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** @param io `input` for a value in a request, before defaults and transforms; `output` for a value in an answer */
  inline(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // A schema with an id becomes a reference only inside another schema.
    const { properties = {}, $defs = {} } = referringToComponents(
      z.toJSONSchema(z.object({ schema }), { io }),
    ) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [id, definition] of Object.entries($defs)) this.components[id] = withoutId(definition);
    return properties['schema'] ?? {};
  }
}

function referringToComponents(schema: object): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

/** In JSON Schema an id would be a base for references. Our references use the key of the component instead. */
function withoutId(definition: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id' && key !== '$id'));
}
