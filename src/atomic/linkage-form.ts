import type { Problem } from '../errors/json-api-error.js'
import { readRelationships } from '../handler/linkage/sent-relationships.js'
import { isPlainObject } from '../util/frozen.js'
import type { KindOf } from './operation-kind.js'
import type { SentOperation } from './sent-operation.js'
import { withAnyIds } from './with-ids.js'

/** What is wrong with the form of linkage in a resource object: which of its relationships are looked at, its type says. */
export function linkageFormProblems(operation: SentOperation, kindOf: KindOf): readonly Problem[] {
  const found = kindOf(operation)
  if (found === null || found.writable.length === 0) return []
  const data = withAnyIds(operation, found.kind)
  const relationships = isPlainObject(data) ? data['relationships'] : undefined
  if (!isPlainObject(relationships)) return []
  return readRelationships({ relationships }, found.writable).problems.map((each) => {
    const { source } = each
    if (source === undefined || !('pointer' in source)) return each
    return { ...each, source: { pointer: operation.pointer + source.pointer } }
  })
}
