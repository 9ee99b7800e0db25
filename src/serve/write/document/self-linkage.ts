import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { ResourceDocument } from './resource-document.js'
import type { SentIdentifier, SentLinkage } from './sent-linkage.js'
import { relationshipPointer, sentPivot } from './sent-linkage.js'

interface SplitDocument {
  /** The document without the identifiers that name the new resource itself. */
  readonly document: ResourceDocument
  /** These identifiers. Their id is empty, because it is not known yet. */
  readonly selfLinkage: readonly SentLinkage[]
}

/**
 * Separates the linkage in which a new resource names itself by its local id.
 *
 * https://jsonapi.org/format/1.1/#document-resource-object-identification
 *
 * @param limit the maximum number of identifiers in one relationship; longer linkage is left in the document, which is refused
 */
export function splitSelfLinkage(
  document: ResourceDocument,
  type: string,
  writable: readonly ServedRelation[],
  limit: number,
): SplitDocument {
  const { lid, relationships } = document
  const namesItself = (identifier: unknown): boolean =>
    isPlainObject(identifier) &&
    identifier['type'] === type &&
    identifier['lid'] === lid &&
    !Object.hasOwn(identifier, 'id')
  const others: Record<string, unknown> = { ...relationships }
  const selfLinkage: SentLinkage[] = []
  for (const relation of writable) {
    const relationship = Object.hasOwn(relationships, relation.name) ? relationships[relation.name] : undefined
    if (!isPlainObject(relationship)) continue
    const { data } = relationship
    if (Array.isArray(data) && data.length > limit) continue
    const at = `${relationshipPointer(relation)}/data`
    const members = (Array.isArray(data) ? data : [data]).flatMap((each: unknown, index): readonly SentIdentifier[] => {
      if (!namesItself(each)) return []
      return [{ type, id: '', pivot: sentPivot(each), pointer: Array.isArray(data) ? `${at}/${index}` : at }]
    })
    if (members.length === 0 || Array.isArray(data) !== relation.spec.traits.toMany) continue
    selfLinkage.push({ relation, members, pointer: at })
    if (Array.isArray(data)) others[relation.name] = { data: data.filter((each) => !namesItself(each)) }
    else delete others[relation.name]
  }
  return selfLinkage.length === 0
    ? { document, selfLinkage }
    : { document: { ...document, relationships: others }, selfLinkage }
}
