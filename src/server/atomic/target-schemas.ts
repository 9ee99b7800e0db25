import type { Api } from '../../describe/openapi/described-server.js'
import type { TypeContract } from '../../describe/contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { ResourceOperation } from '../../declare/resource/replies/responses.js'

/** Returns the types with an operation that a batch may have: an operation that is always asynchronous cannot be part of one. */
export function batchedTypes(
  { contract }: Api,
  operation: Exclude<ResourceOperation, `Fetch${string}`>,
): readonly TypeContract[] {
  return contract.types.filter(({ isWritable, operations, responses }) => {
    if (!isWritable || !operations.includes(operation)) return false
    if (operation === 'Delete') return true
    return responses[operation === 'Create' ? 'create' : 'update'].some(({ kind }) => kind !== 'accepted')
  })
}

const names = Object.freeze({
  type: Object.freeze({ type: 'string' }),
  id: Object.freeze({ type: 'string' }),
  lid: Object.freeze({ type: 'string' }),
})

/** An identity is an id or a local id. */
export const idOrLid: readonly JsonSchema[] = Object.freeze([
  { properties: { id: names.id }, required: ['id'] },
  { properties: { lid: names.lid }, required: ['lid'] },
])

/** The target of an operation is `ref` or `href`. */
export const refOrHref: readonly JsonSchema[] = Object.freeze([
  { properties: { ref: {} }, required: ['ref'] },
  { properties: { href: {} }, required: ['href'] },
])

/** Returns a reference to the identifiers of a batch. A resource of an earlier operation is named by its local id. */
export function identitySchema({ components }: Api): JsonSchema {
  return components.schema('AtomicIdentifier', () => ({
    type: 'object',
    properties: { ...names, meta: { type: 'object' } },
    required: ['type'],
    anyOf: idOrLid,
  }))
}

/** Returns a reference to the identifiers of one type in a batch. */
export function identifierOfType(api: Api, type: string): JsonSchema {
  return api.components.schema(`${api.names.ofType(type)}AtomicIdentifier`, () => ({
    type: 'object',
    properties: { ...names, type: { type: 'string', const: type }, meta: { type: 'object' } },
    required: ['type'],
    anyOf: idOrLid,
  }))
}

/** Returns the schema of `ref`: a resource, or one of its relationships. */
export function targetSchema(type: JsonSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties: { ...names, type, ...members }, required: ['type'], anyOf: idOrLid }
}

interface OperationMembers {
  readonly ref: JsonSchema
  readonly data?: JsonSchema
}

/** Returns the schema of operations with one of some codes. Their target is `ref` or `href`. */
export function operationWith(
  codes: readonly ('add' | 'update' | 'remove')[],
  { ref, data }: OperationMembers,
  required: readonly string[],
): JsonSchema {
  const [only] = codes
  return {
    type: 'object',
    properties: {
      op: codes.length === 1 ? { type: 'string', const: only } : { type: 'string', enum: codes },
      ref,
      href: { type: 'string', format: 'uri-reference' },
      ...(data === undefined ? {} : { data }),
      meta: { type: 'object' },
    },
    required: ['op', ...required],
    not: { type: 'object', properties: { ref: {}, href: {} }, required: ['ref', 'href'] },
  }
}
