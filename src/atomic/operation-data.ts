import { pointer } from '../document/json-pointer.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'
import { eachEmbedded } from './each-identifier.js'
import type { Faults } from './faults.js'
import { invalid } from './faults.js'
import type { LocalIdScope } from './local-ids.js'
import { localIdOf, noteNames, relationsOf } from './local-ids.js'
import type { OperationCode } from './sent-operation.js'

/** Checks the form of an operation's data. The operation itself checks the values when it runs. */
export function noteData(
  operation: Members,
  at: string,
  { isRelationship, hasRelation }: LocalIdScope,
  faults: Faults,
): void {
  const { op, data } = operation
  if (isRelationship === null || (op === 'remove' && !isRelationship)) return
  if (!Object.hasOwn(operation, 'data')) {
    const expected = isRelationship ? 'linkage' : 'a resource object'
    faults.note(invalid(`the operation has no 'data', which must be ${expected}`, at))
  } else if (isRelationship) checkLinkage(data, op as OperationCode, `${at}/data`, faults)
  else if (!isPlainObject(data)) faults.note(invalid("'data' must be a resource object", `${at}/data`))
  else {
    checkResource(data, `${at}/data`, faults)
    if (op === 'update') checkIdentity(data, Object.keys(operation).some(isTarget), `${at}/data`, faults)
    eachEmbedded(data, relationsOf(data, hasRelation), (identifier, path) => {
      noteNames(identifier, () => `${at}/data${pointer(...path)}`, faults)
      return !faults.isFull
    })
  }
}

function isTarget(member: string): boolean {
  return member === 'ref' || member === 'href'
}

function checkResource(data: Members, at: string, faults: Faults): void {
  const { type, id, lid } = data
  if (type === undefined) faults.note(problem('RESOURCE_TYPE_MISSING', {}, { source: { pointer: at } }))
  else if (typeof type !== 'string') faults.note(invalid("'type' must be a string", `${at}/type`))
  if (id !== undefined && typeof id !== 'string') {
    faults.note(problem('RESOURCE_ID_INVALID', {}, { source: { pointer: `${at}/id` } }))
  }
  if (lid !== undefined && typeof lid !== 'string') faults.note(invalid("'lid' must be a string", `${at}/lid`))
  for (const member of ['attributes', 'relationships']) {
    if (data[member] === undefined || isPlainObject(data[member])) continue
    const message = `'${member}' must be an object`
    faults.note(problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: `${at}/${member}` } }))
  }
}

/**
 * Checks that the data of an update has either an id or a local id.
 *
 * @param hasTarget whether the operation has `ref` or `href`; without both, `readTarget()` reports a missing id
 */
function checkIdentity(data: Members, hasTarget: boolean, at: string, faults: Faults): void {
  const { id, lid } = data
  if (hasTarget && id === undefined && (lid === undefined || lid === '')) {
    faults.note(problem('RESOURCE_ID_MISSING', {}, { source: { pointer: at } }))
  }
  if (id !== undefined && localIdOf(data) !== null) {
    faults.note(invalid("the resource has 'id' or 'lid', not both", at))
  }
}

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
function checkLinkage(data: unknown, op: OperationCode, at: string, faults: Faults): void {
  if (Array.isArray(data)) {
    for (let index = 0; index < data.length && !faults.isFull; index += 1) {
      checkIdentifier(data[index], at + pointer(index), faults)
    }
  } else if (op !== 'update') faults.note(invalid("'data' must be an array of resource identifiers", at))
  else if (isPlainObject(data)) checkIdentifier(data, at, faults)
  else if (data !== null)
    faults.note(invalid('linkage must be null, a resource identifier, or an array of resource identifiers', at))
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function checkIdentifier(identifier: unknown, at: string, faults: Faults): void {
  const [here, ofType, ofId] = ['', '/type', '/id'].map((member) => ({ source: { pointer: at + member } }))
  if (!isPlainObject(identifier)) {
    const message = 'a resource identifier must be an object'
    faults.note(problem('REQUEST_BODY_INVALID_JSON_API', { message }, here))
    return
  }
  const { type, id, lid } = identifier
  if (type === undefined) faults.note(problem('RESOURCE_IDENTIFIER_TYPE_MISSING', {}, here))
  else if (typeof type !== 'string') faults.note(problem('RESOURCE_IDENTIFIER_TYPE_INVALID', {}, ofType))
  if (id !== undefined && typeof id !== 'string') {
    faults.note(problem('RESOURCE_IDENTIFIER_ID_INVALID', {}, ofId))
  }
  if (id === undefined && (lid === undefined || lid === '')) {
    faults.note(problem('RESOURCE_IDENTIFIER_ID_MISSING', {}, here))
  }
  noteNames(identifier, () => at, faults)
}
