import * as z from 'zod';

/** The keywords that this code reads. zod writes more of them. */
export interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Turns zod's schemas into JSON Schema, and collects those with an id (`.meta({ id })`) as components. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** @param io `input` describes what is sent, before defaults and transforms; `output` describes what is answered */
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

/** In JSON Schema an id would be a base for references. Here the key of the component names it. */
function withoutId(definition: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id' && key !== '$id'));
}
