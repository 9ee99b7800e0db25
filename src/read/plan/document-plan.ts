import { relationshipQueries } from '../../profiles/profile.js'
import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../resource/reading/flattened-chain.js'
import { flattenedChains } from '../../resource/reading/flattened-chain.js'
import { linkageIsInRow } from '../../resource/reading/identifier.js'
import { selected } from '../../resource/reading/selection.js'
import { queryMemo } from '../../operation/query-memo.js'
import { isVisibilitySettled } from '../query/settled.js'
import type { Reading } from '../reading.js'
import type { PrimaryQueries } from './primary-queries.js'
import { readPrimaryQueries } from './primary-queries.js'
import { withParentColumns } from './with-parent-columns.js'
import { defaultInclusion, hasDefaults } from './default-inclusion.js'
import type { Inclusion } from './inclusion.js'
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
  /** Whether the plan is kept, and so is the same object whenever the same is asked. */
  readonly isKept: boolean
}

const plans = queryMemo<ServedType, DocumentPlan>()

/** @param roots the types of the primary resources */
export async function planDocument(roots: readonly ServedType[], reading: Reading): Promise<DocumentPlan> {
  const [only, ...others] = roots
  if (only === undefined || others.length > 0) return workOut(roots, reading)
  const known = plans.recall(reading, only)
  if (known !== undefined) return known
  if (!isSettled(only, reading)) return workOut(roots, reading)
  // Nobody looks at the request; with the plan, it would be kept too.
  const anyone = { ...reading, open: null, context: { ...reading.context, request: null } }
  const kept = { ...(await workOut(roots, anyone)), isKept: true }
  plans.keep(reading, only, kept)
  return kept
}

/**
 * Whether the plan is the same for whoever asks. What is included by default is found out anew while it is followed, and
 * queries of relationships may look through scopes.
 */
function isSettled(root: ServedType, { query, profiles }: Reading): boolean {
  const isAsked = query.include !== null || !hasDefaults(root)
  const asksRelations =
    query.relatedQuery.size > 0 || query.withCount.length > 0 || profiles.includes(relationshipQueries.uri)
  return isAsked && !asksRelations && isVisibilitySettled(root)
}

async function workOut(roots: readonly ServedType[], reading: Reading): Promise<DocumentPlan> {
  const { query } = reading
  const inclusion =
    query.include === null ? defaultInclusion(roots, reading) : requestedInclusion(query.include, roots, reading)
  const primary = await readPrimaryQueries(roots, reading)
  const selection = oncePerType((served) => selected(served, query.fields.get(served.type.type)))
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
  const flattened = oncePerType((served) => flattenedChains(served, selection(served).attributes))
  return {
    inclusion,
    isRequested: query.include !== null,
    primary,
    linkageToRead,
    primaryLinkageToRead,
    primaryColumns: oncePerType((served) => columns(served, primary.relationsOf(served))),
    includedColumns: oncePerType((served) => columns(served, [])),
    flattened,
    isKept: false,
    isBare:
      inclusion === null &&
      primary.counted.length === 0 &&
      roots.every((served) => primaryLinkageToRead(served).length === 0 && flattened(served).length === 0),
  }
}

/** Worked out when a type is met first: every one of its resources asks. */
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
