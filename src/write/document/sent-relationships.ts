import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { failAll, problem } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { hiddenness } from '../../resource/fields/visible-field.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isPlainObject } from '../../util/deep-freeze.js'
import { memoize } from '../../util/memoize.js'
import type { ResourceDocument } from './resource-document.js'
import type { SentLinkage } from './sent-linkage.js'
import { readLinkage } from './sent-linkage.js'

/**
 * Returns the relations that the client may write in this request. The others are ignored, like read-only attributes.
 */
export function relationsWritableIn(
  { relations }: ServedType,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly ServedRelation[] {
  return [...relations.values()].filter((relation) => isWritable(relation, mode, context))
}

export function isWritable(
  { spec, writeBy }: ServedRelation,
  mode: 'create' | 'update',
  context: RequestContext,
): boolean {
  if (writeBy === 'nobody' || hiddenness(spec, context) === 'hidden') return false
  const readOnly = mode === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate
  return typeof readOnly === 'function' ? !readOnly(context) : !readOnly
}

/**
 * Returns the linkage of a resource object, for the relations that the client may write. A relationship without `data`
 * is skipped: it says nothing about its members, and responses of the server often contain such relationships. Fails
 * with 400 for everything that is not valid linkage.
 */
export function sentRelationships(
  document: ResourceDocument,
  writable: readonly ServedRelation[],
  limit: number,
): readonly SentLinkage[] {
  const { sent, problems } = readRelationships(document, writable)
  if (problems.length > 0) failAll(problems.slice(0, limit))
  return sent
}

interface ReadRelationships {
  readonly sent: readonly SentLinkage[]
  readonly problems: readonly Problem[]
}

/** Returns the linkage of a resource object together with its problems, instead of failing. */
export function readRelationships(
  { relationships }: Pick<ResourceDocument, 'relationships'>,
  writable: readonly ServedRelation[],
): ReadRelationships {
  const problems: Problem[] = []
  const sent: SentLinkage[] = []
  for (const relation of writable) {
    if (!Object.hasOwn(relationships, relation.name)) continue
    const relationship = relationships[relation.name]
    const at = relationshipPointer(relation)
    if (!isPlainObject(relationship)) {
      const message = 'a relationship is an object'
      problems.push(problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: at } }))
    } else if (Object.hasOwn(relationship, 'data')) {
      const read = readLinkage(relation, relationship['data'], `${at}/data`)
      problems.push(...read.problems)
      if (read.linkage !== null) sent.push(read.linkage)
    }
  }
  return { sent, problems }
}

/** Returns the JSON pointer to a relationship. Memoized, because it is needed for each request. */
export const relationshipPointer: (relation: ServedRelation) => string = memoize(({ name }: ServedRelation): string =>
  pointer('data', 'relationships', name),
)
