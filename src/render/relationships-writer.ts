import type { LoadedRelationship, RelationshipPage, ResourceNode } from '../operation/response-value.js'
import { pageParameters, queryPair } from '../pagination/page-url.js'
import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { FieldSpec, RowObject } from '../resource/fields/field-spec.js'
import { linkageIsInRow, rowLinkage } from '../resource/reading/identifier.js'
import type { SelectedRelation } from '../resource/reading/selection.js'
import { hasLinkagePages } from '../resource/relations/relation-spec.js'
import type { RequestContext } from '../resource/request-context.js'
import type { Row } from '../rows/row-set.js'
import { json, jsonText } from './json.js'
import type { Linkage } from './linkage-writer.js'
import { linkageWriter } from './linkage-writer.js'

interface Surroundings {
  readonly columns: readonly string[]
  /** What stands before the id in the address of a resource, as the inside of a JSON text. */
  readonly prefix: string
}

/**
 * Appends the `relationships` of a resource to a text, with the comma before them; nothing where none is shown. `id` is
 * percent-encoded, and empty for a resource without one; the row is there as an object where `hasRowPredicate` says so.
 */
export type RelationshipsWriter = (
  text: string,
  node: ResourceNode,
  id: string,
  object: RowObject | null,
  context: RequestContext,
) => string

/** Whether deciding on the relationship calls back with the row as an object. */
export function hasRowPredicate({ relation }: SelectedRelation): boolean {
  return typeof relation.spec.hidden === 'function'
}

export function relationshipsWriter(
  relations: readonly SelectedRelation[],
  surroundings: Surroundings,
): RelationshipsWriter {
  const members = relations.map(({ relation, onlyWhenLoaded }): Member => {
    const { name, spec } = relation
    const key = `${json(name)}:`
    const write = relationshipWriter(relation, surroundings)
    const mayHide = typeof spec.hidden === 'function' || typeof spec.writeOnly === 'function'
    const [first, further] = [`,"relationships":{${key}`, `,${key}`]
    return { name, hides: mayHide ? spec : null, onlyWhenLoaded, write, first, further }
  })
  return (text, node, id, object, context) => {
    const { row, relationships } = node
    let all = text
    let some = false
    for (const { name, hides, onlyWhenLoaded, write, first, further } of members) {
      const loaded = relationships?.get(name)
      if ((onlyWhenLoaded && loaded === undefined) || (hides !== null && isHidden(hides, object, context))) continue
      all = write(all + (some ? further : first), row, loaded, id)
      some = true
    }
    return some ? `${all}}` : all
  }
}

interface Member {
  readonly name: string
  /** What has predicates that may hide it. */
  readonly hides: FieldSpec | null
  readonly onlyWhenLoaded: boolean
  readonly write: RelationshipWriter
  /** The name, with what stands before it. */
  readonly first: string
  readonly further: string
}

type RelationshipWriter = (text: string, row: Row, loaded: LoadedRelationship | undefined, id: string) => string

/** A relationship object has one of links, data and meta at least: https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function relationshipWriter(relation: ServedRelation, { columns, prefix }: Surroundings): RelationshipWriter {
  const writeLinks = linksWriter(relation, prefix)
  const writeLinkage = linkageWriter(relation.targets.map(({ type }) => type))
  const inRow = linkageIsInRow(relation) ? rowLinkage(relation, columns) : null
  const nothing: Linkage = relation.spec.traits.toMany ? [] : null
  const writeInRow = inRow === null || writeLinks === null ? null : rowLinkageWriter(relation, columns)
  return (text, row, loaded, id) => {
    // Nothing but what the row says is shown of most relationships.
    if (loaded === undefined && writeLinks !== null && id !== '') {
      const all = writeLinks(text, id, null)
      return writeInRow === null ? `${all}}` : writeInRow(`${all},"data":`, row)
    }
    const total = loaded?.total ?? null
    const data = loaded?.data === undefined ? inRow?.(row) : loaded.data
    const hasLinks = writeLinks !== null && id !== ''
    const hasData = data !== undefined || (!hasLinks && total === null)
    let all = hasLinks ? writeLinks(text, id, loaded?.page ?? null) : text
    if (hasData) all = writeLinkage(all + (hasLinks ? ',"data":' : '{"data":'), data === undefined ? nothing : data)
    return total === null ? `${all}}` : `${all}${hasLinks || hasData ? ',' : '{'}"meta":{"total":${total}}}`
  }
}

/** Appends the linkage that the owner's row says, and ends the relationship object. */
function rowLinkageWriter(relation: ServedRelation, columns: readonly string[]): (text: string, row: Row) => string {
  const { storage, targets } = relation
  const [only, ...others] = targets
  if (storage.kind === 'ownKey' && storage.key.type === null && only !== undefined && others.length === 0) {
    const position = columns.indexOf(storage.key.id)
    const opening = `{"type":${json(only.type)},"id":`
    return (text, row) => {
      const key = row[position]
      return key === null || key === undefined ? `${text}null}` : `${text + opening + jsonText(only.id.encode(key))}}}`
    }
  }
  const read = rowLinkage(relation, columns)
  const write = linkageWriter(targets.map(({ type }) => type))
  return (text, row) => `${write(text, read(row))}}`
}

type LinksWriter = (text: string, id: string, page: RelationshipPage | null) => string

/**
 * Opens a relationship object with its links: `self` and `related` where the relationship has these endpoints, and the
 * other pages of its linkage. `null` for a relationship without links.
 */
function linksWriter(relation: ServedRelation, prefix: string): LinksWriter | null {
  const { spec, uriName, hasRelationshipEndpoint, hasRelatedEndpoint } = relation
  const segment = encodeURIComponent(uriName)
  const toSelf = hasRelationshipEndpoint ? `/relationships/${segment}` : null
  const toRelated = hasRelatedEndpoint ? `/${segment}` : null
  const paged = hasLinkagePages(spec) ? (toSelf ?? toRelated) : toRelated
  if (!spec.links || (toSelf ?? toRelated) === null) return null
  const before = `{"links":{"${toSelf === null ? 'related' : 'self'}":"${prefix}`
  const between = toSelf === null || toRelated === null ? null : `${toSelf}","related":"${prefix}`
  const after = `${toRelated ?? toSelf ?? ''}"`
  return (text, id, page) => {
    const all = between === null ? text + before + id + after : text + before + id + between + id + after
    return page === null || paged === null ? `${all}}` : `${all}${pageLinks(prefix + id + paged, page)}}`
  }
}

/** The page's own `self` is left out: in a relationship that is the address at which it can be changed. */
function pageLinks(endpoint: string, { links, query }: RelationshipPage): string {
  const kept = query.map(([name, value]) => queryPair(name, value))
  let text = ''
  for (const [name, parameters] of links) {
    if (name === 'self') continue
    const pairs = [...kept, ...pageParameters(parameters)].join('&')
    text += `,"${name}":"${endpoint}${pairs === '' ? '' : `?${pairs}`}"`
  }
  return text
}

function isHidden({ hidden, writeOnly }: FieldSpec, object: RowObject | null, context: RequestContext): boolean {
  if (typeof hidden === 'function' && hidden(object ?? {}, context)) return true
  return typeof writeOnly === 'function' && writeOnly(context)
}
