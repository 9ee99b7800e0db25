import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'

/** Identifies a resource. */
export interface Identity {
  readonly type: string
  readonly id: string
}

/** A resource object of a document. */
export interface ResourceObject extends Identity {
  readonly attributes: JsonObject
  readonly relationships: JsonObject
  /** The resource object as it is. */
  readonly object: JsonObject
}

/** A relationship of a resource object. */
export interface RelationshipObject {
  readonly owner: ResourceObject
  readonly name: string
  readonly self: string | null
  readonly related: string | null
  /** The linkage; `undefined` if the relationship has none. */
  readonly data: unknown
  /** Whether the linkage is only one page of it. */
  readonly isPaged: boolean
}

/** Returns the URL of a link: a string, or the `href` of a link object. */
function hrefOf(link: unknown): string | null {
  const href = isJsonObject(link) ? link['href'] : link
  return typeof href === 'string' ? href : null
}

/** Returns the links of an object by name, without those that have no URL. */
export function linksOf(owner: unknown): Readonly<Record<string, string>> {
  const links = isJsonObject(owner) ? owner['links'] : null
  if (!isJsonObject(links)) return {}
  return Object.fromEntries(
    Object.entries(links).flatMap(([name, link]) => {
      const href = hrefOf(link)
      return href === null ? [] : [[name, href]]
    }),
  )
}

/** Returns the primary resource objects of a document. Identifiers of a relationship are none. */
export function primaryResources(document: unknown): readonly ResourceObject[] {
  return isJsonObject(document) ? listed(document['data']).filter(isResource).flatMap(resourceIn) : []
}

function isResource(value: unknown): boolean {
  return isJsonObject(value) && ['attributes', 'relationships', 'links'].some((name) => Object.hasOwn(value, name))
}

/** Returns the included resource objects of a document. */
export function includedResources(document: unknown): readonly ResourceObject[] {
  return isJsonObject(document) && Array.isArray(document['included']) ? document['included'].flatMap(resourceIn) : []
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function resourceIn(value: unknown): readonly ResourceObject[] {
  if (!isJsonObject(value)) return []
  const { type, id, attributes, relationships } = value
  if (typeof type !== 'string' || typeof id !== 'string') return []
  return [
    {
      type,
      id,
      attributes: isJsonObject(attributes) ? attributes : {},
      relationships: isJsonObject(relationships) ? relationships : {},
      object: value,
    },
  ]
}

/** Returns the relationships of a resource object. */
export function relationshipsOf(owner: ResourceObject): readonly RelationshipObject[] {
  return Object.entries(owner.relationships).flatMap(([name, relationship]) => {
    if (name.startsWith('@') || !isJsonObject(relationship)) return []
    const links = linksOf(relationship)
    const { self = null, related = null } = links
    return [{ owner, name, self, related, data: relationship['data'], isPaged: 'next' in links || 'prev' in links }]
  })
}

/** Returns the identifiers of linkage, or of primary data. */
export function identifiersIn(data: unknown): readonly Identity[] {
  return listed(data).flatMap((each) => {
    if (!isJsonObject(each) || typeof each['type'] !== 'string' || typeof each['id'] !== 'string') return []
    return [{ type: each['type'], id: each['id'] }]
  })
}

/** Returns a text that is the same for the same resource. */
export function keyOf({ type, id }: Identity): string {
  return JSON.stringify([type, id])
}

/** Returns whether two lists have the same resources, in any order. */
export function isSameSet(left: readonly Identity[], right: readonly Identity[]): boolean {
  const keys = new Set(left.map(keyOf))
  return keys.size === new Set(right.map(keyOf)).size && right.every((each) => keys.has(keyOf(each)))
}

/** Names a relationship in a sentence. */
export function nameOfRelationship({ owner, name }: RelationshipObject): string {
  return `the relationship '${name}' of '${owner.type}' '${owner.id}'`
}

/** Returns whether a document is one page of several. */
export function isOnePage(document: unknown): boolean {
  const links = linksOf(document)
  return 'next' in links || 'prev' in links
}
