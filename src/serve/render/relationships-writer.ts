import type { RelationshipPage, ResourceNode } from '../operation/response-value.js'
import { pageParameters, queryPair } from '../../declare/pagination/page-url.js'
import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import type { FieldSpec, RowObject } from '../../declare/resource/fields/field-spec.js'
import { isGuarded } from '../../declare/resource/fields/field-guard.js'
import { isComposite } from '../../declare/resource/parts/key-columns.js'
import { isHiddenFrom } from '../../declare/resource/reading/attribute-reader.js'
import { isSet } from '../../core/rows/row-set.js'
import { containsLinkage, rowLinkage, visibilityFlag } from '../../declare/resource/reading/row-linkage.js'
import type { SelectedRelation } from '../../declare/resource/reading/selection.js'
import { hasLinkagePages } from '../../declare/resource/relations/relation-spec.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { json, jsonText } from './json.js'
import type { Linkage } from './linkage-writer.js'
import { linkageWriter } from './linkage-writer.js'
import type { TemplatePiece, RelationshipWriter } from './row-template.js'

interface RelationshipWriterOptions {
  readonly columns: readonly string[]
  /** The URL of a resource up to its id, escaped for a JSON string. */
  readonly prefix: string
}

/**
 * Appends the member `relationships` of a resource to a text, with a leading comma. Appends nothing if no relationship
 * is shown. `id` is percent-encoded, and empty for a resource without an id. `object` is the row as an object; it is
 * required if `hasRowPredicate` is true for one of the relations.
 */
export type RelationshipsWriter = (
  text: string,
  node: ResourceNode,
  id: string,
  object: RowObject | null,
  context: RequestContext,
) => string

/** Whether the relationship has a predicate or a guard that needs the row as an object. */
export function hasRowPredicate({ relation }: SelectedRelation): boolean {
  return typeof relation.spec.hidden === 'function' || isGuarded(relation.spec)
}

export function relationshipsWriter(
  relations: readonly SelectedRelation[],
  options: RelationshipWriterOptions,
): RelationshipsWriter {
  const members = relations.map(({ relation, onlyWhenLoaded }): Member => {
    const { name, spec } = relation
    const key = `${json(name)}:`
    const write = relationshipWriter(relation, options)
    const mayBeHidden = typeof spec.hidden === 'function' || typeof spec.writeOnly === 'function' || isGuarded(spec)
    const [first, further] = [`,"relationships":{${key}`, `,${key}`]
    return { name, hideable: mayBeHidden ? spec : null, onlyWhenLoaded, write, first, further }
  })
  return (text, node, id, object, context) => {
    const { row, relationships } = node
    let result = text
    let hasMembers = false
    for (const { name, hideable, onlyWhenLoaded, write, first, further } of members) {
      const loaded = relationships?.get(name)
      if (onlyWhenLoaded && loaded === undefined) continue
      if (hideable !== null && isHiddenFrom(hideable, object ?? {}, context)) continue
      result = write(result + (hasMembers ? further : first), row, loaded, id)
      hasMembers = true
    }
    return hasMembers ? `${result}}` : result
  }
}

interface Member {
  readonly name: string
  /** The declaration, if it has predicates or guards that may hide the relationship; otherwise `null`. */
  readonly hideable: FieldSpec | null
  readonly onlyWhenLoaded: boolean
  readonly write: RelationshipWriter
  /** The text up to the value, for the first member of `relationships`. */
  readonly first: string
  /** The same for each further member. */
  readonly further: string
}

/**
 * Creates the writer of a relationship object. The object must have at least one of links, data and meta:
 * https://jsonapi.org/format/1.1/#document-resource-object-relationships
 */
function relationshipWriter(
  relation: ServedRelation,
  { columns, prefix }: RelationshipWriterOptions,
): RelationshipWriter {
  const writeLinks = linksWriter(relation, prefix)
  const writeLinkage = linkageWriter(relation.targets.map(({ type }) => type))
  const inRow = containsLinkage(relation, columns) ? rowLinkage(relation, columns) : null
  const emptyLinkage: Linkage = relation.spec.traits.toMany ? [] : null
  return (text, row, loaded, id) => {
    const total = loaded?.total ?? null
    const data = loaded?.data === undefined ? inRow?.(row) : loaded.data
    const hasLinks = writeLinks !== null && id !== ''
    const hasData = data !== undefined || (!hasLinks && total === null)
    let result = hasLinks ? writeLinks(text, id, loaded?.page ?? null) : text
    if (hasData) {
      const opened = result + (hasLinks ? ',"data":' : '{"data":')
      result = writeLinkage(opened, data === undefined ? emptyLinkage : data)
    }
    return total === null ? `${result}}` : `${result}${hasLinks || hasData ? ',' : '{'}"meta":{"total":${total}}}`
  }
}

/**
 * Returns the template pieces of a relationship object, for resources with an id; `null` if the relationship has no
 * links.
 */
export function relationshipPieces(
  relation: ServedRelation,
  options: RelationshipWriterOptions,
): readonly TemplatePiece[] | null {
  const links = linkTexts(relation, options.prefix)
  if (links === null) return null
  const linkPieces = links.flatMap((text, index): TemplatePiece[] => [
    ...(index === 0 ? [] : [idPiece]),
    { kind: 'text', text },
  ])
  const linkage: readonly TemplatePiece[] = containsLinkage(relation, options.columns)
    ? [{ kind: 'text', text: '},"data":' }, linkagePiece(relation, options.columns), { kind: 'text', text: '}' }]
    : [{ kind: 'text', text: '}}' }]
  const write = relationshipWriter(relation, options)
  return [{ kind: 'relationship', name: relation.name, unread: [...linkPieces, ...linkage], write }]
}

const idPiece: TemplatePiece = Object.freeze({ kind: 'id' })

/** Returns the template piece of linkage that is stored in the row of the owner. */
function linkagePiece(relation: ServedRelation, columns: readonly string[]): TemplatePiece {
  const { storage, targets } = relation
  const [only, ...others] = targets
  const isPlainKey = storage.kind === 'ownKey' && storage.key.type === null && !isComposite(storage.key.id)
  if (isPlainKey && only !== undefined && others.length === 0) {
    const opening = `{"type":${json(only.type)},"id":`
    const [position, flag] = [columns.indexOf(storage.key.id), columns.indexOf(visibilityFlag(relation))]
    const write = (key: unknown): string =>
      key === null || key === undefined ? 'null' : `${opening + jsonText(only.id.encode(key))}}`
    if (flag === -1) return { kind: 'value', position, write }
    return { kind: 'row', write: (row) => (isSet(row[flag]) ? write(row[position]) : 'null') }
  }
  const read = rowLinkage(relation, columns)
  const write = linkageWriter(targets.map(({ type }) => type))
  return { kind: 'row', write: (row) => write('', read(row)) }
}

type LinksWriter = (text: string, id: string, page: RelationshipPage | null) => string

/**
 * Creates a writer that opens a relationship object with its links: `self` and `related` if the relationship has these
 * endpoints, and the other pages of its linkage. `null` for a relationship without links.
 */
function linksWriter(relation: ServedRelation, prefix: string): LinksWriter | null {
  const texts = linkTexts(relation, prefix)
  if (texts === null) return null
  const { toSelf, toRelated } = segmentsOf(relation)
  const pagedPath = hasLinkagePages(relation.spec) ? (toSelf ?? toRelated) : toRelated
  return (text, id, page) => {
    const result = text + texts.join(id)
    return page === null || pagedPath === null ? `${result}}` : `${result}${pageLinks(prefix + id + pagedPath, page)}}`
  }
}

/**
 * Returns the text of the links, split where the id of the owner is inserted; `null` for a relationship without links.
 */
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

/** Returns the paths of a relationship after the id of the owner; `null` for an endpoint that it does not have. */
function segmentsOf({ uriName, hasRelationshipEndpoint, hasRelatedEndpoint }: ServedRelation): Segments {
  const segment = encodeURIComponent(uriName)
  return {
    toSelf: hasRelationshipEndpoint ? `/relationships/${segment}` : null,
    toRelated: hasRelatedEndpoint ? `/${segment}` : null,
  }
}

/**
 * Writes the links to other pages. `self` of the page is left out: in a relationship, `self` is the URL that changes
 * it.
 */
function pageLinks(endpoint: string, { links, query }: RelationshipPage): string {
  const queryPairs = query.map(([name, value]) => queryPair(name, value))
  let text = ''
  for (const [name, parameters] of links) {
    if (name === 'self') continue
    const pairs = [...queryPairs, ...pageParameters(parameters)].join('&')
    text += `,"${name}":"${endpoint}${pairs === '' ? '' : `?${pairs}`}"`
  }
  return text
}
