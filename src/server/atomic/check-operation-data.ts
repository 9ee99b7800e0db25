import { pointer } from '../../core/document/json-pointer.js'
import { problem } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import type { LocalIdScope } from './local-ids.js'
import { visitEmbeddedLinkage, localIdOf, checkLid, relationsOf } from './local-ids.js'
import type { ProblemCollector } from './problem-collector.js'
import { invalidBatch } from './problem-collector.js'
import type { OperationCode } from './sent-operation.js'

/** Checks the form of an operation's data. The operation itself checks the values when it runs. */
export function checkOperationData(
  operation: JsonMembers,
  at: string,
  { isRelationship, hasRelation }: LocalIdScope,
  faults: ProblemCollector,
): void {
  const { op, data } = operation
  if (isRelationship === null || (op === 'remove' && !isRelationship)) return
  if (!Object.hasOwn(operation, 'data')) {
    const expected = isRelationship ? 'linkage' : 'a resource object'
    faults.report(invalidBatch(`the operation has no 'data', which must be ${expected}`, at))
  } else if (isRelationship) checkLinkage(data, op as OperationCode, `${at}/data`, faults)
  else if (!isPlainObject(data)) faults.report(invalidBatch("'data' must be a resource object", `${at}/data`))
  else {
    checkResource(data, `${at}/data`, faults)
    if (op === 'update') checkIdentity(data, Object.keys(operation).some(isTarget), `${at}/data`, faults)
    visitEmbeddedLinkage(data, relationsOf(data, hasRelation), (identifier, path) => {
      checkLid(identifier, () => `${at}/data${pointer(...path)}`, faults)
      return !faults.isFull()
    })
  }
}

function isTarget(member: string): boolean {
  return member === 'ref' || member === 'href'
}

function checkResource(data: JsonMembers, at: string, faults: ProblemCollector): void {
  const { type, id, lid } = data
  if (type === undefined) faults.report(problem('RESOURCE_TYPE_MISSING', {}, { source: { pointer: at } }))
  else if (typeof type !== 'string') faults.report(invalidBatch("'type' must be a string", `${at}/type`))
  if (id !== undefined && typeof id !== 'string') {
    faults.report(problem('RESOURCE_ID_INVALID', {}, { source: { pointer: `${at}/id` } }))
  }
  if (lid !== undefined && typeof lid !== 'string') faults.report(invalidBatch("'lid' must be a string", `${at}/lid`))
  for (const member of ['attributes', 'relationships']) {
    if (data[member] === undefined || isPlainObject(data[member])) continue
    const message = `'${member}' must be an object`
    faults.report(problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: `${at}/${member}` } }))
  }
}

/**
 * Checks that the data of an update has either an id or a local id.
 *
 * @param hasTarget whether the operation has `ref` or `href`; without both, `readTarget()` reports a missing id
 */
function checkIdentity(data: JsonMembers, hasTarget: boolean, at: string, faults: ProblemCollector): void {
  const { id, lid } = data
  if (hasTarget && id === undefined && (lid === undefined || lid === '')) {
    faults.report(problem('RESOURCE_ID_MISSING', {}, { source: { pointer: at } }))
  }
  if (id !== undefined && localIdOf(data) !== null) {
    faults.report(invalidBatch("the resource has 'id' or 'lid', not both", at))
  }
}

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
function checkLinkage(data: unknown, op: OperationCode, at: string, faults: ProblemCollector): void {
  if (Array.isArray(data)) {
    for (let index = 0; index < data.length && !faults.isFull(); index += 1) {
      checkIdentifier(data[index], at + pointer(index), faults)
    }
  } else if (op !== 'update') faults.report(invalidBatch("'data' must be an array of resource identifiers", at))
  else if (isPlainObject(data)) checkIdentifier(data, at, faults)
  else if (data !== null)
    faults.report(invalidBatch('linkage must be null, a resource identifier, or an array of resource identifiers', at))
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function checkIdentifier(identifier: unknown, at: string, faults: ProblemCollector): void {
  const [here, ofType, ofId] = ['', '/type', '/id'].map((member) => ({ source: { pointer: at + member } }))
  if (!isPlainObject(identifier)) {
    const message = 'a resource identifier must be an object'
    faults.report(problem('REQUEST_BODY_INVALID_JSON_API', { message }, here))
    return
  }
  const { type, id, lid } = identifier
  if (type === undefined) faults.report(problem('RESOURCE_IDENTIFIER_TYPE_MISSING', {}, here))
  else if (typeof type !== 'string') faults.report(problem('RESOURCE_IDENTIFIER_TYPE_INVALID', {}, ofType))
  if (id !== undefined && typeof id !== 'string') {
    faults.report(problem('RESOURCE_IDENTIFIER_ID_INVALID', {}, ofId))
  }
  if (id === undefined && (lid === undefined || lid === '')) {
    faults.report(problem('RESOURCE_IDENTIFIER_ID_MISSING', {}, here))
  }
  checkLid(identifier, () => at, faults)
}
