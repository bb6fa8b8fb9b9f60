import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { JsonObject } from '../../contracts/host.ts'

/** Converts a schema to JSON Schema, which OpenAPI 3.1 embeds as it is. */
export function jsonSchemaOf(schema: GenericSchema, typeMode: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    // JSON Schema has no words for them.
    ignoreActions: ['check', 'trim'],
    // JSON Schema counts code points, too.
    overrideAction: ({ valibotAction: action, jsonSchema }) =>
      action.type === 'max_code_points' && 'requirement' in action
        ? { ...jsonSchema, maxLength: Number(action.requirement) }
        : undefined,
  })
  return json as JsonObject
}
