import type { RowFlag, WantedColumns } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import { checksRow, guardsOf } from '../../../declare/resource/fields/field-guard.js'
import type { FlattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import { flattenedChainsOf } from '../../../declare/resource/reading/flattened-chain.js'
import { linkageIsInRow, linkageNeedsFlag, visibilityFlag } from '../../../declare/resource/reading/row-linkage.js'
import { selectionFor } from '../../../declare/resource/reading/selection.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { ReadContext } from '../read-context.js'
import type { PrimaryQueries } from './primary-queries.js'
import { readPrimaryQueries } from './primary-queries.js'
import { defaultInclusion } from './default-inclusion.js'
import type { Inclusion } from './inclusion.js'
import { noFilter, relationFilterReason } from './cacheability.js'
import type { RelationRead } from './relation-read.js'
import { linkageColumns, relationRead, shownRelationQuery, usesWholeMembers } from './relation-read.js'
import { guardFlags, linkageFlag } from './row-flags.js'
import { requestedInclusion } from './requested-inclusion.js'
import { wholeRelationQuery } from './relation-query.js'
import { parentColumns } from '../../../declare/resource/compiled/relation-link.js'

/** The plan of a document of resources. The query is checked for it before anything is read. */
export interface DocumentPlan {
  /** `null` if nothing is included. */
  readonly inclusion: Inclusion | null
  /** Whether the request has `include`. */
  readonly isRequested: boolean
  /** The queries of the relationships of the primary resources. */
  readonly primary: PrimaryQueries
  /** Returns the relations of a type whose linkage must be read, because every document or this one shows it. */
  readonly linkageToRead: (served: ServedType) => readonly ServedRelation[]
  /** Returns the same for primary resources, and the relations whose linkage a query may change. */
  readonly primaryLinkageToRead: (served: ServedType) => readonly ServedRelation[]
  /** Returns those of them whose key is in the row, so that a write knows the linkage of the members that it was sent. */
  readonly writtenLinkage: (served: ServedType) => readonly ServedRelation[]
  /** Returns the columns to read of primary resources. */
  readonly primaryColumns: (served: ServedType) => WantedColumns
  /** Returns the columns to read of included resources. */
  readonly includedColumns: (served: ServedType) => WantedColumns
  /**
   * Returns the flags to read of resources: of guards, and of relations whose linkage is in the row. A flag saves
   * a further read.
   */
  readonly flags: (served: ServedType) => readonly RowFlag[]
  /** Returns the chains of relations of the flattened attributes that are shown of a type. */
  readonly flattened: (served: ServedType) => readonly FlattenedChain[]
  /** Returns the guards of the fields that are shown or followed of a type. */
  readonly guards: (served: ServedType) => readonly FieldGuard[]
  /**
   * Whether the rows of the primary resources contain everything that is shown, so that nothing else is read: always, or if
   * the store has read the flags with them.
   */
  readonly isBare: boolean | 'with flags'
  /** Whether the rows of primary resources contain versions or times of changes, because the document shows one resource of a type with them. */
  readonly isVersioned: boolean
  /** Returns the read of a relation of resources of the document: of its members as resources, or as linkage only. */
  readonly relationRead: (relation: ServedRelation, as: MembersAs, request: ReadContext) => Awaitable<RelationRead>
}

export type MembersAs = 'resources' | 'linkage'

/**
 * Plans a document.
 *
 * @param roots the types of the primary resources
 * @param isVersioned whether the rows of primary resources must contain their versions
 */
export async function planDocument(
  roots: readonly ServedType[],
  request: ReadContext,
  isVersioned = false,
): Promise<DocumentPlan> {
  const { query } = request
  const inclusion =
    query.include === null ? defaultInclusion(roots, request) : requestedInclusion(query.include, roots, request)
  const primary = await readPrimaryQueries(roots, request)
  const selection = memoizeByType((served) => selectionFor(served, query.fields.get(served.type.type)))
  const linkageToRead = memoizeByType((served): readonly ServedRelation[] => {
    const requested = query.withLinkage.get(served.type.type)
    return selection(served).relations.flatMap(({ relation, onlyWhenLoaded }) => {
      const isRequested = requested?.has(relation.name) === true
      return (isRequested || (!onlyWhenLoaded && showsLinkage(relation))) && !isKnownFromRow(relation) ? [relation] : []
    })
  })
  const primaryLinkageToRead = memoizeByType((served): readonly ServedRelation[] => {
    const queried = selection(served).relations.flatMap(({ relation, onlyWhenLoaded }) => {
      const isShownByDefault = !onlyWhenLoaded && linkageIsInRow(relation)
      return isShownByDefault && primary.queryOf(relation) !== null ? [relation] : []
    })
    return [...linkageToRead(served), ...queried]
  })
  const writtenLinkage = memoizeByType((served) =>
    primaryLinkageToRead(served).filter((relation) => linkageNeedsFlag(relation) && primary.queryOf(relation) === null),
  )
  const primaryColumns = memoizeByType((served) => {
    const read = columns(served, primary.relationsOf(served))
    return isVersioned && roots.includes(served) ? withModification(withVersion(read, served), served) : read
  })
  const includedColumns = memoizeByType((served) => columns(served, []))
  const flags = memoizeByType((served): readonly RowFlag[] => {
    // Functions of the application get rows with all columns, and nothing else.
    if (primaryColumns(served) === null || includedColumns(served) === null) return noFlags
    const followed = inclusion?.followedFrom(served) ?? []
    const flagged = linkageToRead(served).filter(
      (relation) => !followed.includes(relation) && linkageNeedsFlag(relation),
    )
    const all = [...flagged.map(linkageFlag), ...guardFlags(served, guards(served))]
    return all.length === 0 ? noFlags : all
  })
  const columns = (served: ServedType, besides: readonly ServedRelation[]): WantedColumns => {
    const followed = inclusion === null ? [] : inclusion.followedFrom(served)
    if (followed === null) return null
    const read = withParentColumns(selection(served).columns, [...followed, ...linkageToRead(served), ...besides])
    return served.type.version?.inMeta === true ? withVersion(read, served) : read
  }
  const guards = memoizeByType((served) => {
    const { attributes, relations } = selection(served)
    const followed = inclusion === null ? [] : (inclusion.followedFrom(served) ?? [...served.relations.values()])
    const shown = relations.flatMap(({ relation, onlyWhenLoaded }) => (onlyWhenLoaded ? [] : [relation]))
    const loaded = [...linkageToRead(served), ...primary.relationsOf(served), ...followed]
    const ofFields = [...attributes, ...shown, ...loaded].flatMap(({ spec }) => guardsOf(spec))
    return [...new Set([...ofFields, ...linkGuards(served, query)])]
  })
  const flattened = memoizeByType((served) => flattenedChainsOf(served, selection(served).attributes))
  return {
    inclusion,
    isRequested: query.include !== null,
    primary,
    linkageToRead,
    primaryLinkageToRead,
    writtenLinkage,
    primaryColumns,
    includedColumns,
    flags,
    flattened,
    guards,
    relationRead: relationReads({ includedColumns, flags }),
    isVersioned: isVersioned && roots.some(({ type }) => type.version !== null || type.lastModified !== null),
    isBare:
      inclusion === null &&
      primary.counted.length === 0 &&
      roots.every((served) => flattened(served).length === 0) &&
      bareness(roots, { primaryLinkageToRead, primary, flags, guards }),
  }
}

const noFlags: readonly RowFlag[] = Object.freeze([])

/** Adds the column of the version. A hash needs all columns. */
function withVersion(columns: WantedColumns, { type: { version } }: ServedType): WantedColumns {
  if (version === null || columns === null) return columns
  if (version.kind === 'hash') return null
  return columns.includes(version.column) ? columns : [...columns, version.column]
}

/** Adds the column of `Last-Modified`. */
function withModification(columns: WantedColumns, { type: { lastModified } }: ServedType): WantedColumns {
  const isRead = columns === null || lastModified === null || columns.includes(lastModified)
  return isRead ? columns : [...columns, lastModified]
}

type FlaggedPlan = Pick<DocumentPlan, 'primaryLinkageToRead' | 'primary' | 'flags' | 'guards'>

/** Returns whether the rows and their flags are enough for linkage and guards. */
function bareness(
  roots: readonly ServedType[],
  { primaryLinkageToRead, primary, flags, guards }: FlaggedPlan,
): DocumentPlan['isBare'] {
  if (roots.every((served) => primaryLinkageToRead(served).length === 0 && guards(served).length === 0)) return true
  const areFlagged = roots.every((served) => {
    const names = new Set(flags(served).map(({ name }) => name))
    const areLinked = primaryLinkageToRead(served).every(
      (relation) => names.has(visibilityFlag(relation)) && primary.queryOf(relation) === null,
    )
    return areLinked && guards(served).every(({ flag }) => names.has(flag))
  })
  return areFlagged && 'with flags'
}

/**
 * Memoizes the reads of relations. Their cache keys serve the caches of stores as long as the plan is cached. A read
 * whose filters have functions is planned for each request.
 */
function relationReads({
  includedColumns,
  flags,
}: Pick<DocumentPlan, 'includedColumns' | 'flags'>): DocumentPlan['relationRead'] {
  const reads = { resources: new Map<ServedRelation, RelationRead>(), linkage: new Map<ServedRelation, RelationRead>() }
  const plan = async (relation: ServedRelation, as: MembersAs, request: ReadContext): Promise<RelationRead> => {
    const isMemoized = relationFilterReason(relation, noFilter) === null
    // Linkage without its resources is complete: a client could mistake a part for the whole, and write it back.
    const { query, parameters } =
      as === 'linkage'
        ? { query: wholeRelationQuery(relation, request), parameters: [] }
        : await shownRelationQuery(relation, request)
    const columnsOf = memberColumns(relation, as, includedColumns)
    const read = relationRead(relation, {
      query,
      parameters,
      columnsOf,
      flagsOf: as === 'resources' ? flags : null,
      cacheKey: isMemoized ? {} : undefined,
    })
    if (isMemoized) reads[as].set(relation, read)
    return read
  }
  return (relation, as, request) => reads[as].get(relation) ?? plan(relation, as, request)
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

/** Returns the guards of links to actions. A link to restore a resource needs a deleted one, which only a filter shows. */
function linkGuards({ type }: ServedType, { filter, relatedQuery }: ReadContext['query']): readonly FieldGuard[] {
  // A filter key that the type does not declare belongs to a relation, which may have such a filter too.
  const showsDeleted = (key: string): boolean =>
    !Object.hasOwn(type.filters, key) || type.filters[key]?.test.kind === 'trashed'
  const mayShowDeleted = relatedQuery.size > 0 || [...filter.keys()].some(showsDeleted)
  return type.actions.flatMap(({ guard, builtIn }) => (builtIn === null || mayShowDeleted ? (guard ?? []) : []))
}

/** Memoizes a function by type, since it is called for every resource of a type. */
function memoizeByType<Found>(find: (served: ServedType) => Found): (served: ServedType) => Found {
  const all = new Map<ServedType, { readonly found: Found }>()
  return (served) => {
    const known = all.get(served)
    if (known !== undefined) return known.found
    const found = find(served)
    all.set(served, { found })
    return found
  }
}

/** Whether every document shows the linkage of a relation: because it is declared, or because there are no links. */
function showsLinkage({ spec, linkage, hasRelatedEndpoint, hasRelationshipEndpoint }: ServedRelation): boolean {
  const hasLinks = spec.links && (hasRelatedEndpoint || hasRelationshipEndpoint)
  return linkage === 'always' || !hasLinks
}

/** Whether there is no linkage to read: the row of the owner contains it, or it cannot be read. */
function isKnownFromRow(relation: ServedRelation): boolean {
  return relation.readBy === 'none' || linkageIsInRow(relation)
}

/**
 * Adds the columns that are needed to follow relations. Returns `null` for all columns if user-defined code gets the
 * row.
 */
export function withParentColumns(columns: WantedColumns, relations: readonly ServedRelation[]): WantedColumns {
  if (columns === null) return null
  const all = new Set(columns)
  for (const relation of relations) {
    const needed = parentColumns(relation)
    const { spec } = relation
    const needsRow = typeof spec.hidden === 'function' || checksRow(spec) || spec.identifierMeta !== null
    if (needed === null || needsRow) return null
    for (const column of needed) all.add(column)
  }
  return [...all]
}
