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
      z.toJSONSchema(z.object({ schema }), {
        io,
        ...(io === 'output' && { override: openForLaterVersions }),
      }),
    ) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [id, definition] of Object.entries($defs)) this.components[id] = withoutId(definition);
    return properties['schema'] ?? {};
  }
}

/** The values of this version, for an answer in which later versions may have others. */
export const KNOWN_VALUES = 'x-extensible-enum';

/**
 * Installed apps have code that was generated from an earlier document. Such code may refuse what that document does
 * not allow. So an object in an answer may have more fields, and an enum with `isOpen` is a string. The schemas of zod
 * stay strict, and tests close the document again: see `tests/support/contract.ts`.
 */
function openForLaterVersions({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema['isOpen'] !== true) return;
  jsonSchema[KNOWN_VALUES] = jsonSchema.enum;
  delete jsonSchema.enum;
  delete jsonSchema['isOpen'];
}

function referringToComponents(schema: object): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

/** In JSON Schema an id would be a base for references. Our references use the key of the component instead. */
function withoutId(definition: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id' && key !== '$id'));
}
