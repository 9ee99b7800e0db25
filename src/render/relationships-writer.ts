import type { RelationshipPage, ResourceNode } from '../operation/response-value.js'
import { pageParameters, queryPair } from '../pagination/page-url.js'
import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { FieldSpec, RowObject } from '../resource/fields/field-spec.js'
import { linkageIsInRow, rowLinkage } from '../resource/reading/identifier.js'
import type { SelectedRelation } from '../resource/reading/selection.js'
import { hasLinkagePages } from '../resource/relations/relation-spec.js'
import type { RequestContext } from '../resource/request-context.js'
import { json, jsonText } from './json.js'
import type { Linkage } from './linkage-writer.js'
import { linkageWriter } from './linkage-writer.js'
import type { Piece, RelationshipWriter } from './row-template.js'

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

/** A relationship object has one of links, data and meta at least: https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function relationshipWriter(relation: ServedRelation, { columns, prefix }: Surroundings): RelationshipWriter {
  const writeLinks = linksWriter(relation, prefix)
  const writeLinkage = linkageWriter(relation.targets.map(({ type }) => type))
  const inRow = linkageIsInRow(relation) ? rowLinkage(relation, columns) : null
  const nothing: Linkage = relation.spec.traits.toMany ? [] : null
  return (text, row, loaded, id) => {
    const total = loaded?.total ?? null
    const data = loaded?.data === undefined ? inRow?.(row) : loaded.data
    const hasLinks = writeLinks !== null && id !== ''
    const hasData = data !== undefined || (!hasLinks && total === null)
    let all = hasLinks ? writeLinks(text, id, loaded?.page ?? null) : text
    if (hasData) all = writeLinkage(all + (hasLinks ? ',"data":' : '{"data":'), data === undefined ? nothing : data)
    return total === null ? `${all}}` : `${all}${hasLinks || hasData ? ',' : '{'}"meta":{"total":${total}}}`
  }
}

/** The pieces of a relationship object that has links, of any resource with an id; `null` for one that has none. */
export function relationshipPieces(relation: ServedRelation, surroundings: Surroundings): readonly Piece[] | null {
  const links = linkTexts(relation, surroundings.prefix)
  if (links === null) return null
  const address = links.flatMap((text, index): Piece[] => [...(index === 0 ? [] : [anId]), { kind: 'text', text }])
  const linkage: readonly Piece[] = linkageIsInRow(relation)
    ? [{ kind: 'text', text: '},"data":' }, linkagePiece(relation, surroundings.columns), { kind: 'text', text: '}' }]
    : [{ kind: 'text', text: '}}' }]
  const write = relationshipWriter(relation, surroundings)
  return [{ kind: 'relationship', name: relation.name, unread: [...address, ...linkage], write }]
}

const anId: Piece = Object.freeze({ kind: 'id' })

/** The linkage that the owner's row says. */
function linkagePiece(relation: ServedRelation, columns: readonly string[]): Piece {
  const { storage, targets } = relation
  const [only, ...others] = targets
  if (storage.kind === 'ownKey' && storage.key.type === null && only !== undefined && others.length === 0) {
    const opening = `{"type":${json(only.type)},"id":`
    return {
      kind: 'value',
      position: columns.indexOf(storage.key.id),
      write: (key) => (key === null || key === undefined ? 'null' : `${opening + jsonText(only.id.encode(key))}}`),
    }
  }
  const read = rowLinkage(relation, columns)
  const write = linkageWriter(targets.map(({ type }) => type))
  return { kind: 'row', write: (row) => write('', read(row)) }
}

type LinksWriter = (text: string, id: string, page: RelationshipPage | null) => string

/**
 * Opens a relationship object with its links: `self` and `related` where the relationship has these endpoints, and the
 * other pages of its linkage. `null` for a relationship without links.
 */
function linksWriter(relation: ServedRelation, prefix: string): LinksWriter | null {
  const texts = linkTexts(relation, prefix)
  if (texts === null) return null
  const { toSelf, toRelated } = segmentsOf(relation)
  const paged = hasLinkagePages(relation.spec) ? (toSelf ?? toRelated) : toRelated
  return (text, id, page) => {
    const all = text + texts.join(id)
    return page === null || paged === null ? `${all}}` : `${all}${pageLinks(prefix + id + paged, page)}}`
  }
}

/** What the links of a relationship are made of, with the id of its owner between; `null` for one without links. */
function linkTexts(relation: ServedRelation, prefix: string): readonly string[] | null {
  const { toSelf, toRelated } = segmentsOf(relation)
  const links = [
    ...(toSelf === null ? [] : [['self', toSelf]]),
    ...(toRelated === null ? [] : [['related', toRelated]]),
  ]
  if (!relation.spec.links || links.length === 0) return null
  const openings = links.map(([name]) => `"${name}":"${prefix}`)
  const ends = links.map(([, segment]) => `${segment}"`)
  return [
    `{"links":{${openings[0]}`,
    ...ends.map((end, index) => [end, ...openings.slice(index + 1, index + 2)].join(',')),
  ]
}

interface Segments {
  readonly toSelf: string | null
  readonly toRelated: string | null
}

/** What follows the id of the owner in the addresses of a relationship; `null` where it has no such endpoint. */
function segmentsOf({ uriName, hasRelationshipEndpoint, hasRelatedEndpoint }: ServedRelation): Segments {
  const segment = encodeURIComponent(uriName)
  return {
    toSelf: hasRelationshipEndpoint ? `/relationships/${segment}` : null,
    toRelated: hasRelatedEndpoint ? `/${segment}` : null,
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
