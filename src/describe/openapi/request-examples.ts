import { MEDIA_TYPE } from '../../core/document/media-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { OpenApiDocument } from './openapi-settings.js'
import type { ResolveSchema } from './sample-value.js'
import { sampleValue } from './sample-value.js'

type Members = Readonly<Record<string, JsonSchema>>

/**
 * Returns the paths of a document with an example of each request that creates or updates a resource, so that a viewer proposes one that
 * the server may accept: the required fields, and those that have an example. The example of an update has the first field for which a value can be made.
 */
export function withRequestExamples(paths: OpenApiDocument['paths'], schemas: JsonSchema): OpenApiDocument['paths'] {
  const resolve: ResolveSchema = (reference) =>
    schemas[reference.slice('#/components/schemas/'.length)] as JsonSchema | undefined
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, given]) => [method, withExample(given, resolve)])),
    ]),
  )
}

function withExample(operation: unknown, resolve: ResolveSchema): unknown {
  const { requestBody } = operation as { readonly requestBody?: { readonly content?: Members } }
  const body = requestBody?.content?.[MEDIA_TYPE]
  const reference = (body?.['schema'] as JsonSchema | undefined)?.['$ref']
  if (body === undefined || typeof reference !== 'string') return operation
  const example = exampleOf(reference, resolve)
  if (example === undefined) return operation
  const content = { ...requestBody?.content, [MEDIA_TYPE]: { ...body, example } }
  return { ...(operation as object), requestBody: { ...requestBody, content } }
}

function exampleOf(reference: string, resolve: ResolveSchema): unknown {
  const schema = resolve(reference)
  if (schema === undefined) return undefined
  if (reference.endsWith('CreateRequest')) return sampleValue(schema, resolve)
  return reference.endsWith('UpdateRequest') ? updateExample(schema, resolve) : undefined
}

function updateExample(schema: JsonSchema, resolve: ResolveSchema): unknown {
  const example = sampleValue(schema, resolve) as { readonly data: Readonly<Record<string, unknown>> } | undefined
  const { data } = schema['properties'] as Members
  const reference = ((data?.['properties'] as Members | undefined)?.['attributes'] ?? {})['$ref']
  const attributes = typeof reference === 'string' ? resolve(reference) : undefined
  if (example === undefined || attributes === undefined) return example
  for (const [name, given] of Object.entries((attributes['properties'] ?? {}) as Members)) {
    const value = sampleValue(given, resolve)
    if (value !== undefined) return { data: { ...example.data, attributes: { [name]: value } } }
  }
  return example
}
