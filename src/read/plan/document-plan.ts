import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../resource/reading/flattened-chain.js'
import { flattenedChainsOf } from '../../resource/reading/flattened-chain.js'
import { linkageIsInRow } from '../../resource/reading/id-reader.js'
import { selectionFor } from '../../resource/reading/selection.js'
import type { Awaitable } from '../../util/types.js'
import type { ReadContext } from '../read-context.js'
import type { PrimaryQueries } from './primary-queries.js'
import { readPrimaryQueries } from './primary-queries.js'
import { withParentColumns } from './with-parent-columns.js'
import { defaultInclusion } from './default-inclusion.js'
import type { Inclusion } from './inclusion.js'
import { noFilter, relationFilterReason } from './cacheability.js'
import type { RelationRead } from './relation-read.js'
import { linkageColumns, relationRead, shownRelationQuery, usesWholeMembers } from './relation-read.js'
import { requestedInclusion } from './requested-inclusion.js'

/** What a document of resources takes, worked out and checked before anything is read. */
export interface DocumentPlan {
  /** `null` when nothing is included. */
  readonly inclusion: Inclusion | null
  /** Whether the request itself says what is included. */
  readonly isRequested: boolean
  /** What is asked of the relationships of the primary resources. */
  readonly primary: PrimaryQueries
  /** The relations of a type whose linkage has to be read, because no document goes without it. */
  readonly linkageToRead: (served: ServedType) => readonly ServedRelation[]
  /** The same for primary resources, with those whose linkage a query may change. */
  readonly primaryLinkageToRead: (served: ServedType) => readonly ServedRelation[]
  /** The columns to read of primary resources. */
  readonly primaryColumns: (served: ServedType) => WantedColumns
  /** The columns to read of included resources. */
  readonly includedColumns: (served: ServedType) => WantedColumns
  /** What the flattened attributes that are shown of a type lead over. */
  readonly flattened: (served: ServedType) => readonly FlattenedChain[]
  /** Whether the rows of the primary resources say all that is shown: nothing else is read. */
  readonly isBare: boolean
  /** Returns the read of a relation of resources of the document: of its members as resources, or as linkage only. */
  readonly relationRead: (relation: ServedRelation, as: MembersAs, reading: ReadContext) => Awaitable<RelationRead>
}

export type MembersAs = 'resources' | 'linkage'

/**
 * Plans a document.
 *
 * @param roots the types of the primary resources
 */
export async function planDocument(roots: readonly ServedType[], reading: ReadContext): Promise<DocumentPlan> {
  const { query } = reading
  const inclusion =
    query.include === null ? defaultInclusion(roots, reading) : requestedInclusion(query.include, roots, reading)
  const primary = await readPrimaryQueries(roots, reading)
  const selection = oncePerType((served) => selectionFor(served, query.fields.get(served.type.type)))
  const linkageToRead = oncePerType((served): readonly ServedRelation[] =>
    selection(served).relations.flatMap(({ relation, onlyWhenLoaded }) =>
      !onlyWhenLoaded && needsReading(relation) ? [relation] : [],
    ),
  )
  const primaryLinkageToRead = oncePerType((served): readonly ServedRelation[] => {
    const queried = selection(served).relations.flatMap(({ relation, onlyWhenLoaded }) => {
      const shownAnyway = !onlyWhenLoaded && linkageIsInRow(relation)
      return shownAnyway && primary.queryOf(relation) !== null ? [relation] : []
    })
    return [...linkageToRead(served), ...queried]
  })
  const columns = (served: ServedType, besides: readonly ServedRelation[]): WantedColumns => {
    const followed = inclusion === null ? [] : inclusion.followedFrom(served)
    if (followed === null) return null
    return withParentColumns(selection(served).columns, [...followed, ...linkageToRead(served), ...besides])
  }
  const includedColumns = oncePerType((served) => columns(served, []))
  const flattened = oncePerType((served) => flattenedChainsOf(served, selection(served).attributes))
  return {
    inclusion,
    isRequested: query.include !== null,
    primary,
    linkageToRead,
    primaryLinkageToRead,
    primaryColumns: oncePerType((served) => columns(served, primary.relationsOf(served))),
    includedColumns,
    flattened,
    relationRead: relationReads(includedColumns),
    isBare:
      inclusion === null &&
      primary.counted.length === 0 &&
      roots.every((served) => primaryLinkageToRead(served).length === 0 && flattened(served).length === 0),
  }
}

/**
 * Memoizes the reads of relations. Their cache keys serve the caches of stores as long as the plan is cached. A read whose
 * filters have functions is planned for each request.
 */
function relationReads(includedColumns: DocumentPlan['includedColumns']): DocumentPlan['relationRead'] {
  const reads = { resources: new Map<ServedRelation, RelationRead>(), linkage: new Map<ServedRelation, RelationRead>() }
  const plan = async (relation: ServedRelation, as: MembersAs, reading: ReadContext): Promise<RelationRead> => {
    const isMemoized = relationFilterReason(relation, noFilter) === null
    const { query, parameters } = await shownRelationQuery(relation, reading)
    const columnsOf = memberColumns(relation, as, includedColumns)
    const read = relationRead(relation, { query, parameters, columnsOf, cacheKey: isMemoized ? {} : undefined })
    if (isMemoized) reads[as].set(relation, read)
    return read
  }
  return (relation, as, reading) => reads[as].get(relation) ?? plan(relation, as, reading)
}

/** Returns the columns to read of the members of a relation. */
export function memberColumns(
  relation: ServedRelation,
  as: MembersAs,
  includedColumns: DocumentPlan['includedColumns'],
): DocumentPlan['includedColumns'] {
  if (as === 'linkage') return (served) => linkageColumns(relation, served)
  return usesWholeMembers(relation) ? () => null : includedColumns
}

/** Memoizes by type, since every resource of a type asks. */
function oncePerType<Found>(find: (served: ServedType) => Found): (served: ServedType) => Found {
  const all = new Map<ServedType, { readonly found: Found }>()
  return (served) => {
    const known = all.get(served) ?? { found: find(served) }
    all.set(served, known)
    return known.found
  }
}

/** Linkage that always shows, or is all that there is to show, and that the row does not tell. */
function needsReading(relation: ServedRelation): boolean {
  const { spec, readBy, hasRelatedEndpoint, hasRelationshipEndpoint } = relation
  if (readBy === 'nobody' || linkageIsInRow(relation)) return false
  const hasLinks = spec.links && (hasRelatedEndpoint || hasRelationshipEndpoint)
  return spec.linkage === 'always' || !hasLinks
}
