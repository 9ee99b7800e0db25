import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { dataDocument, type Exchange } from '../exchange/exchange.js'
import {
  identifiersIn,
  includedResources,
  keyOf,
  linksOf,
  primaryResources,
  type RelationshipObject,
  relationshipsOf,
  type ResourceObject,
} from '../documents/document-links.js'
import type { Addresses } from './addresses.js'
import type { RelationTarget } from './frontier.js'

/** A resource that a response has shown. */
export interface KnownResource extends ResourceObject {
  /** The address of the resource; `null` if it has no self link of this server. */
  readonly self: string | null
}

/** A relationship of a type. */
export interface KnownRelation {
  readonly name: string
  /** Whether its linkage is a list; `null` if no linkage was seen. */
  isToMany: boolean | null
  /** Some relationships of this name, those with the most members first. */
  readonly samples: RelationshipObject[]
  /** The types of its members. */
  readonly types: Set<string>
}

/** A resource type of the server. */
export interface KnownType {
  readonly name: string
  readonly resources: Map<string, KnownResource>
  readonly relations: Map<string, KnownRelation>
  /** The address of its collection, without query parameters; `null` if none was found. */
  collection: KnownCollection | null
}

/** An address that responds with a list of resources. */
export interface KnownCollection {
  readonly url: string
  /** A successful response. */
  readonly exchange: Exchange
}

/** Everything that a run has learned about a server. */
export interface Knowledge {
  /** The version of `jsonapi.version`; `null` if the server does not declare one. */
  version: string | null
  readonly types: Map<string, KnownType>
  /** Successful responses to GET requests of links, without query parameters of checks. */
  readonly reads: Exchange[]
  /** The address of the OpenAPI document, by a link `describedby`. */
  describedby: string | null
  /** The responses at both addresses of relationships, by the owner and the name. */
  readonly relationReads: Map<string, RelationRead>
  /** Query parameters that links of the server have, with the link that has them first. */
  readonly linkParameters: Map<string, LinkParameter>
}

export interface RelationRead {
  readonly relationship: RelationshipObject
  /** The response with the resource that has the relationship; `null` if there is none. */
  readonly source: Exchange | null
  /** The linkage at the link `self`. */
  linkage: Exchange | null
  /** The resources at the link `related`. */
  related: Exchange | null
}

export interface LinkParameter {
  readonly href: string
  readonly exchange: Exchange
}

/** Resources of a type beyond this number are not needed. */
const enoughResources = 50
const enoughSamples = 10

export function createKnowledge(): Knowledge {
  return {
    version: null,
    types: new Map(),
    reads: [],
    describedby: null,
    relationReads: new Map(),
    linkParameters: new Map(),
  }
}

/** Learns from any response. */
export function learnFrom(exchange: Exchange, knowledge: Knowledge, addresses: Addresses): void {
  const { document } = exchange
  if (!isJsonObject(document)) return
  const { jsonapi } = document
  if (isJsonObject(jsonapi) && typeof jsonapi['version'] === 'string') knowledge.version ??= jsonapi['version']
  const { describedby } = linksOf(document)
  const description = describedby === undefined ? null : addresses.resolve(describedby, exchange.request.url)
  if (description?.kind === 'internal') knowledge.describedby ??= description.url
  if (dataDocument(exchange) === null) return
  for (const resource of [...primaryResources(document), ...includedResources(document)]) {
    learnResource(resource, exchange, knowledge, addresses)
  }
}

/** Learns that an address is the collection of the type of its resources. Returns whether it is a collection. */
export function learnCollection(exchange: Exchange, knowledge: Knowledge): boolean {
  const data = dataDocument(exchange)?.['data']
  if (!Array.isArray(data)) return false
  const types = new Set(primaryResources({ data }).map(({ type }) => type))
  const [type] = types
  if (type === undefined || types.size > 1) return true
  const known = typeOf(type, knowledge)
  known.collection ??= { url: exchange.request.url, exchange }
  return true
}

/** Stores the response at an address of a relationship. */
export function learnRelation(
  { role, relationship, source }: RelationTarget,
  exchange: Exchange,
  { relationReads, types }: Knowledge,
): void {
  const { owner, name } = relationship
  const key = `${keyOf(owner)} ${name}`
  const read = relationReads.get(key) ?? { relationship, source, linkage: null, related: null }
  relationReads.set(key, read)
  read[role === 'relationship' ? 'linkage' : 'related'] = exchange
  const relation = types.get(owner.type)?.relations.get(name)
  const data = dataDocument(exchange)?.['data']
  if (relation === undefined || data === undefined) return
  relation.isToMany ??= Array.isArray(data)
  for (const { type } of identifiersIn(data)) relation.types.add(type)
}

export function typeOf(name: string, { types }: Knowledge): KnownType {
  const known = types.get(name) ?? { name, resources: new Map(), relations: new Map(), collection: null }
  types.set(name, known)
  return known
}

function learnResource(resource: ResourceObject, exchange: Exchange, knowledge: Knowledge, addresses: Addresses): void {
  const type = typeOf(resource.type, knowledge)
  const href = linksOf(resource.object)['self']
  const address = href === undefined ? null : addresses.resolve(href, exchange.request.url)
  const self = address?.kind === 'internal' ? address.url : null
  const known = type.resources.get(resource.id)
  const isFuller = fieldCount(resource) > (known === undefined ? -1 : fieldCount(known))
  if (isFuller && (known !== undefined || type.resources.size < enoughResources)) {
    type.resources.set(resource.id, { ...resource, self })
  }
  for (const relationship of relationshipsOf(resource)) learnRelationship(relationship, type)
}

function fieldCount({ attributes, relationships }: ResourceObject): number {
  return Object.keys(attributes).length + Object.keys(relationships).length
}

function learnRelationship(relationship: RelationshipObject, type: KnownType): void {
  const { name, data } = relationship
  const known = type.relations.get(name) ?? { name, isToMany: null, samples: [], types: new Set<string>() }
  type.relations.set(name, known)
  if (data !== undefined) known.isToMany ??= Array.isArray(data)
  for (const identifier of identifiersIn(data)) known.types.add(identifier.type)
  if (known.samples.some(({ owner }) => owner.id === relationship.owner.id)) return
  known.samples.push(relationship)
  known.samples.sort((a, b) => identifiersIn(b.data).length - identifiersIn(a.data).length)
  known.samples.splice(enoughSamples)
}
