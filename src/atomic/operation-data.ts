import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import { invalid } from './invalid.js'
import { localIdOf, nameProblems } from './local-ids.js'
import type { OperationCode } from './sent-operation.js'

type Members = Readonly<Record<string, unknown>>

interface Place {
  /** Where the operation stands. */
  readonly at: string
  /** Whether a relationship is addressed; `null` where that is not known, and nothing can be said of the data. */
  readonly isRelationship: boolean | null
}

/** What is wrong with the form of an operation's data; what it says is for the operation itself to judge. */
export function dataProblems(operation: Members, op: OperationCode, { at, isRelationship }: Place): readonly Problem[] {
  if (isRelationship === null || (op === 'remove' && !isRelationship)) return []
  const { data } = operation
  const expected = isRelationship ? 'linkage' : 'a resource object'
  if (!Object.hasOwn(operation, 'data')) return [invalid(`the operation has no 'data', which is ${expected}`, at)]
  return isRelationship ? linkageProblems(data, op, `${at}/data`) : resourceProblems(data, op, `${at}/data`)
}

function resourceProblems(data: unknown, op: OperationCode, at: string): readonly Problem[] {
  if (!isPlainObject(data)) return [invalid('the data of a resource is a resource object', at)]
  const { type, id, lid } = data
  return [
    ...(type === undefined ? [problem('RESOURCE_TYPE_MISSING', {}, { source: { pointer: at } })] : []),
    ...(type === undefined || typeof type === 'string' ? [] : [invalid("'type' is a text", `${at}/type`)]),
    ...(id === undefined || typeof id === 'string'
      ? []
      : [problem('RESOURCE_ID_INVALID', {}, { source: { pointer: `${at}/id` } })]),
    ...(lid === undefined || typeof lid === 'string' ? [] : [invalid("'lid' is a text", `${at}/lid`)]),
    ...(op === 'update' && id !== undefined && localIdOf(data) !== null
      ? [invalid("what is updated has 'id' or 'lid', not both", at)]
      : []),
    ...objectProblems(data, 'attributes', at),
    ...objectProblems(data, 'relationships', at),
  ]
}

function objectProblems(data: Members, member: string, at: string): readonly Problem[] {
  if (data[member] === undefined || isPlainObject(data[member])) return []
  const message = `'${member}' is an object`
  return [problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: `${at}/${member}` } })]
}

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
function linkageProblems(data: unknown, op: OperationCode, at: string): readonly Problem[] {
  if (op !== 'update' && !Array.isArray(data)) return [invalid('members are added and removed by a list of them', at)]
  if (data !== null && !Array.isArray(data) && !isPlainObject(data)) {
    return [invalid('linkage is null, an identifier, or a list of them', at)]
  }
  if (data === null) return []
  if (!Array.isArray(data)) return [...identifierProblems(data, at), ...nameProblems(data, at)]
  return data.flatMap((identifier: unknown, index) => identifierProblems(identifier, at + pointer(index)))
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function identifierProblems(identifier: unknown, at: string): readonly Problem[] {
  if (!isPlainObject(identifier)) {
    const message = 'a resource identifier is an object'
    return [problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: at } })]
  }
  const { type, id, lid } = identifier
  const [here, ofType, ofId] = ['', '/type', '/id'].map((member) => ({ source: { pointer: at + member } }))
  return [
    ...(type === undefined ? [problem('RESOURCE_IDENTIFIER_TYPE_MISSING', {}, here)] : []),
    ...(type === undefined || typeof type === 'string'
      ? []
      : [problem('RESOURCE_IDENTIFIER_TYPE_INVALID', {}, ofType)]),
    ...(id === undefined && (lid === undefined || lid === '')
      ? [problem('RESOURCE_IDENTIFIER_ID_MISSING', {}, here)]
      : []),
    ...(id === undefined || typeof id === 'string' ? [] : [problem('RESOURCE_IDENTIFIER_ID_INVALID', {}, ofId)]),
  ]
}
