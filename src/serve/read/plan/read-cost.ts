import type { QueryParameters } from '../../operation/query-parameters.js'
import { pageKeyNames } from '../../../declare/pagination/choose-paginator.js'
import type { Paginator } from '../../../declare/pagination/paginator.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CostPart, QueryCost } from '../../../declare/resource/request/query-cost.js'
import { sumOfParts } from '../../../declare/resource/request/query-cost.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { CostRules } from '../cost-rules.js'
import { showsEstimateOnly } from '../paging/list-extras.js'
import type { ListQuery } from '../paging/list-query.js'
import type { PageChoice } from '../paging/page-of-rows.js'
import { firstPage, isCursorPage } from '../paging/page-of-rows.js'
import type { DocumentPlan } from './document-plan.js'
import type { Expansion } from './inclusion.js'
import type { ReadTarget } from './read-target.js'
import { isOfRelation, rootsOf } from './read-target.js'
import { linkagePaginator } from './relation-query.js'

/*
 * The cost of a read is the number of rows that it is expected to return, and a fixed number for each other piece of work that the
 * client requests. It is computed only from the plan, once for all requests that share the plan. The page "Declaring" has the formula
 * as a table: "What a request costs".
 */

/** The parts of a plan that the cost of a read depends on. */
export interface PlannedRead {
  readonly target: ReadTarget
  /** `null` for one resource. */
  readonly list: ListQuery | null
  /** Whether a list has one row at most. */
  readonly isSingular?: boolean
  /** `null` if only linkage is shown. */
  readonly document: DocumentPlan | null
  readonly query: QueryParameters
  /** How many rows are read, if that does not depend on pages and on what the type expects. */
  readonly rows?: number
  /** Whether a relation exists for the request. */
  readonly isKnown: (relation: ServedRelation) => boolean
}

/** Returns the cost of a read. */
export function readCost(read: PlannedRead, rules: CostRules): QueryCost {
  const { target, list, document } = read
  const rows = read.rows ?? primaryRows(read, rules)
  return sumOfParts([
    ...(isOfRelation(target)
      ? [{ kind: 'owner', name: target.owner.type.type, parameter: null, cost: 1 } as const]
      : []),
    { kind: 'rows', name: nameOf(target), parameter: sizeParameter(list?.page ?? null), cost: rows },
    ...groupingParts(target, rules),
    ...(list === null ? [] : [...joinParts(list, rules), ...totalParts(nameOf(target), list, read, rules)]),
    ...(document === null ? [] : documentParts(read, document, rows, rules)),
  ])
}

function nameOf(target: ReadTarget): string {
  return isOfRelation(target) ? target.subject.name : target.subject.type.type
}

function primaryRows(
  { target, list, isSingular = false }: PlannedRead,
  { expectedRows, expectedMembers }: CostRules,
): number {
  if (list === null || isSingular) return 1
  if (!isOfRelation(target)) return listRows(list.page, target.subject.type.expectedRows, expectedRows)
  const { spec } = target.subject
  return spec.traits.toMany ? listRows(list.page, spec.expectedMembers, expectedMembers) : 1
}

/** Returns the rows of a page: as many as the client requests, unless the declaration expects fewer. An empty page is read, too. */
function listRows(page: PageChoice | null, declared: number | null, expected: number): number {
  if (page === null) return declared ?? expected
  return Math.max(1, Math.min(page.request.limit, declared ?? Number.POSITIVE_INFINITY))
}

/** Returns the parameter of the page size; `null` if the client cannot choose it. */
function sizeParameter(page: PageChoice | null): string | null {
  if (page === null) return null
  const key = sizeKey(page.paginator)
  return key === null ? null : `page[${key}]`
}

function sizeKey({ strategy, keys }: Paginator): string | null {
  const name = pageKeyNames[strategy].find((each) => each === 'size' || each === 'limit')
  return name === undefined ? null : keys[name]
}

/** Returns the parts of filters and sorts that follow relations. Defaults have no name, since a client may not know them. */
function joinParts({ filters = [], orders, sortedBy = null }: ListQuery, { join }: CostRules): readonly CostPart[] {
  const ofSorts = orders.reduce((sum, order) => sum + joinsOfOrder(order), 0)
  return [
    ...filters.map(({ key, parameter, condition }): CostPart => {
      const cost = joinsIn(condition) * join
      return { kind: 'filter', name: parameter === null ? 'default' : key, parameter, cost }
    }),
    {
      kind: 'sort',
      name: sortedBy?.keys.join(',') ?? 'default',
      parameter: sortedBy?.parameter ?? null,
      cost: ofSorts * join,
    },
  ]
}

/** Counts the relations that an order follows. */
function joinsOfOrder(order: RowOrder): number {
  switch (order.kind) {
    case 'column':
      return order.path.length
    case 'visibleColumn':
      return order.path.length + joinsIn(order.condition)
    case 'relevance':
    case 'custom':
      return 1
    default:
      return 0
  }
}

/** Counts the relations that a condition follows. Scopes do not count: clients do not request them. */
function joinsIn(condition: RowCondition): number {
  switch (condition.kind) {
    case 'related':
      return 1 + (condition.condition === null ? 0 : joinsIn(condition.condition))
    case 'all':
    case 'any':
      return condition.conditions.reduce((sum, each) => sum + joinsIn(each), 0)
    case 'not':
      return joinsIn(condition.condition)
    case 'search':
    case 'custom':
      return 1
    default:
      return 0
  }
}

/** Returns the part of an aggregate: all of its rows are read, as by a count. */
function groupingParts(target: ReadTarget, { count }: CostRules): readonly CostPart[] {
  if (isOfRelation(target) || target.subject.source === null) return []
  return [{ kind: 'count', name: target.subject.source.type.type, parameter: null, cost: count }]
}

/** Returns the part of the total of a list. A list that is read whole is counted without a further statement. */
function totalParts(
  name: string,
  { page, wantsCount }: ListQuery,
  { query, target }: Pick<PlannedRead, 'query' | 'target'>,
  { count, estimate }: CostRules,
): readonly CostPart[] {
  if (page === null || !wantsCount) return []
  if (showsEstimateOnly(page, { query })) {
    const parameter = `page[${page.paginator.keys.count}]`
    // Related resources are counted.
    return [{ kind: 'count', name, parameter, cost: isOfRelation(target) ? count : estimate }]
  }
  const isRequested = !page.paginator.counted && query.withCount.includes('_self_')
  return [{ kind: 'count', name, parameter: isRequested ? 'withCount' : null, cost: count }]
}

/** Resources that the same relations are followed from. */
interface Stage {
  /** The include path that leads to them; empty for primary resources. */
  readonly path: string
  readonly types: ReadonlySet<ServedType>
  readonly rows: number
  readonly expansion: Expansion | null
}

/** Returns the parts for included resources, linkage and counts. They are computed level by level, as the document is read. */
function documentParts(read: PlannedRead, document: DocumentPlan, rows: number, rules: CostRules): readonly CostPart[] {
  const { primary, inclusion } = document
  const types = new Set(rootsOf(read.target))
  const parts: CostPart[] = [
    ...primary.counted.map(({ name }): CostPart => {
      return { kind: 'count', name, parameter: 'withCount', cost: rules.count }
    }),
    ...[...types].flatMap((served) =>
      primary.relationsOf(served).flatMap((relation) => {
        const queried = primary.queryOf(relation)
        return queried === null ? [] : joinParts(queried.query, rules)
      }),
    ),
  ]
  let level: readonly Stage[] = [{ path: '', types, rows, expansion: inclusion?.start() ?? null }]
  while (level.length > 0) {
    const next = new Map<Expansion, Map<string, Stage>>()
    for (const stage of level) {
      const followed = followedFrom(stage, document, rules)
      for (const [name, relation] of followed) addStage(next, stage, name, relation)
      parts.push(...linkageParts(stage, new Set(followed.keys()), { read, document, rules }))
    }
    level = [...next.values()].flatMap((byName) => [...byName.values()])
    parts.push(
      ...level.map(({ path, rows: cost }): CostPart => ({ kind: 'include', name: path, parameter: 'include', cost })),
    )
  }
  return parts
}

/** A relation that is included from a stage. */
interface FollowedRelation {
  /** The expected number of members of one resource. */
  readonly members: number
  readonly types: ReadonlySet<ServedType>
  readonly next: Expansion
}

/** Returns the relations that are included from a stage, by name. If several types have the name, the largest one counts. */
function followedFrom(
  { path, types, expansion }: Stage,
  { primary }: DocumentPlan,
  rules: CostRules,
): ReadonlyMap<string, FollowedRelation> {
  const followed = new Map<string, FollowedRelation>()
  for (const served of types) {
    for (const { relation, next } of expansion?.followable(served) ?? []) {
      const known = followed.get(relation.name)
      const queried = path === '' ? primary.queryOf(relation) : null
      const members = membersOf(relation, shownPage(relation, queried?.query ?? null), rules)
      followed.set(relation.name, {
        members: Math.max(known?.members ?? 1, members),
        types: new Set([...(known?.types ?? []), ...relation.related.values()]),
        next,
      })
    }
  }
  return followed
}

/** Returns the page of an included relation: that of the query, or the first one if it has cursor pages. */
function shownPage(relation: ServedRelation, query: ListQuery | null): PageChoice | null {
  if (query !== null) return query.page
  const page = firstPage(linkagePaginator(relation))
  return isCursorPage(page) ? page : null
}

function membersOf({ spec }: ServedRelation, page: PageChoice | null, { expectedMembers }: CostRules): number {
  if (!spec.traits.toMany) return 1
  return Math.max(1, Math.min(page?.request.limit ?? Number.POSITIVE_INFINITY, spec.expectedMembers ?? expectedMembers))
}

/**
 * Adds the related resources of a relation. Default includes may reach one stage by many paths, and their number grows
 * exponentially if types include each other: all of them are one part, with the name of the first path.
 */
function addStage(
  level: Map<Expansion, Map<string, Stage>>,
  stage: Stage,
  name: string,
  { members, types, next }: FollowedRelation,
): void {
  const byName = level.get(next) ?? new Map<string, Stage>()
  level.set(next, byName)
  const rows = stage.rows * members
  const known = byName.get(name)
  if (known === undefined) {
    byName.set(name, { path: stage.path === '' ? name : `${stage.path}.${name}`, types, rows, expansion: next })
    return
  }
  byName.set(name, { ...known, types: new Set([...known.types, ...types]), rows: known.rows + rows })
}

interface StageContext {
  readonly read: PlannedRead
  readonly document: DocumentPlan
  readonly rules: CostRules
}

/** Returns the parts of linkage that is read for the resources of a stage. To-one linkage costs nothing. */
function linkageParts(
  { path, types, rows }: Stage,
  followed: ReadonlySet<string>,
  { read, document, rules }: StageContext,
): readonly CostPart[] {
  const isPrimary = path === ''
  return [...types].flatMap((served) => {
    const relations = (isPrimary ? document.primaryLinkageToRead : document.linkageToRead)(served)
    const { type } = served.type
    return relations.flatMap((relation): readonly CostPart[] => {
      const { name, spec } = relation
      if (!spec.traits.toMany || followed.has(name) || !read.isKnown(relation)) return []
      const queried = isPrimary ? document.primary.queryOf(relation) : null
      const isRequested = read.query.withLinkage.get(type)?.has(name) === true
      return [
        {
          kind: 'linkage',
          name: isPrimary ? name : `${path}.${name}`,
          parameter: `${isRequested ? 'withLinkage' : 'fields'}[${type}]`,
          cost: rows * membersOf(relation, queried?.query.page ?? null, rules),
        },
      ]
    })
  })
}
