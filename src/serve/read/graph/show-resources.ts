import { forEachInSlices } from '../../../core/util/time-slices.js'
import type { Resources, ResourceRows } from '../../operation/response-value.js'
import { appliedProfiles } from '../paging/list-extras.js'
import type { ReadContext } from '../read-context.js'
import type { DocumentCounts } from './document-limits.js'
import {
  concurrentGroups,
  countKnown,
  countMembers,
  isLimitExceeded,
  limitedToDocument,
  refuseIncluded,
  refusesDocument,
} from './document-limits.js'
import type { GraphNode } from './graph-node.js'
import { hidesRelation, includedNode, objectOf, setRelationship } from './graph-node.js'
import type { DocumentPlan } from '../plan/document-plan.js'
import { memberColumns } from '../plan/document-plan.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { IdReader } from '../../../declare/resource/reading/row-linkage.js'
import { containsLinkage, identityReader } from '../../../declare/resource/reading/row-linkage.js'
import type { Row } from '../../../core/rows/row-set.js'
import type { Awaitable } from '../../../core/util/types.js'
import { isCursorPage } from '../paging/page-of-rows.js'
import type { CountedRelation } from './count-relations.js'
import { countRelations } from './count-relations.js'
import { addFlattenedValues } from './flattened-values.js'
import { addMissingFlags } from './missing-flags.js'
import type { QueriedRelation } from '../plan/primary-queries.js'
import type { RelationRead } from '../plan/relation-read.js'
import { relationRead } from '../plan/relation-read.js'
import type { ReadRelation } from './read-relation.js'
import { readRelation } from './read-relation.js'
import { relatedMemberReader } from '../rows/related-rows.js'
import type { Expansion, Inclusion, InclusionStep } from '../plan/inclusion.js'

/** The primary resources, with everything that the document shows with them. */
export interface ShownResources {
  readonly resources: Resources
  /** URIs of the profiles that the document applies. */
  readonly profiles: readonly string[]
}

/** Reads everything that the plan shows with the primary resources. */
export function showResources(
  primary: readonly GraphNode[],
  many: boolean,
  plan: DocumentPlan,
  request: ReadContext,
): Awaitable<ShownResources> {
  const shown = ({ included, hasCursorPages }: ReadGraph): ShownResources => ({
    resources: {
      primary,
      many,
      // Without `include` in the request, the member is left out when it would be empty.
      included: plan.isRequested || included.length > 0 ? included : null,
      query: request.query,
      context: request.context,
      isVersioned: plan.isVersioned,
      isInRows: plan.isBare === true,
    },
    profiles: hasCursorPages ? appliedProfiles(true, request) : noProfiles,
  })
  return isComplete(primary, plan) ? shown(nothingIncluded) : readGraph(primary, plan, request).then(shown)
}

const noProfiles: readonly string[] = Object.freeze([])

/** Whether the rows contain everything that is shown. A store may have left the flags out. */
export function isComplete(primary: readonly GraphNode[], plan: DocumentPlan): boolean {
  const { isBare, primaryLinkageToRead, guards } = plan
  if (isBare !== 'with flags') return isBare
  let complete: ResourceRows | null = null
  for (const { rows, relationships } of primary) {
    if (rows === complete) continue
    complete = rows
    if (hasAllFlags(rows, plan)) continue
    if (!guards(rows.served).every(({ flag }) => rows.columns.includes(flag))) return false
    for (const relation of primaryLinkageToRead(rows.served)) {
      if (containsLinkage(relation, rows.columns)) continue
      if (relationships?.has(relation.name) !== true) return false
      complete = null
    }
  }
  return true
}

/** Fast path: rows with all flags of the plan need no look at each relation and guard. */
function hasAllFlags({ served, columns }: ResourceRows, { flags }: DocumentPlan): boolean {
  for (const { name } of flags(served)) if (!columns.includes(name)) return false
  return true
}

const nothingIncluded: ReadGraph = Object.freeze({ included: [], hasCursorPages: false })

/** The included resources of a document, and whether one of its relationships has cursor pages. */
export interface ReadGraph {
  readonly included: readonly GraphNode[]
  readonly hasCursorPages: boolean
}

/**
 * Reads everything that a document shows with its primary resources. If the document of a write would exceed a limit, it has
 * neither included resources nor linkage that must be read: the write is already committed.
 */
export async function readGraph(
  primary: readonly GraphNode[],
  plan: DocumentPlan,
  request: ReadContext,
): Promise<ReadGraph> {
  if (refusesDocument(request)) return readWholeGraph(primary, plan, request)
  const known = primary.map(({ relationships }) => relationships && new Map(relationships))
  try {
    return await readWholeGraph(primary, plan, request)
  } catch (thrown) {
    if (!isLimitExceeded(thrown)) throw thrown
    for (const [index, node] of primary.entries()) node.relationships = known[index] ?? null
    await addFlattenedValues(primary, plan.flattened, request)
    return nothingIncluded
  }
}

/**
 * Reads the included resources and the linkage of a document, level by level. Each relation is read once per level, for
 * all resources and all include paths; twice if primary resources are among the resources and the request queries the
 * relation. A resource that several paths lead to has one node: it is shown once, with the relationships of all paths.
 */
async function readWholeGraph(
  primary: readonly GraphNode[],
  plan: DocumentPlan,
  request: ReadContext,
): Promise<ReadGraph> {
  await addMissingFlags(primary, plan.guards, request)
  const counting = plan.primary.counted.length === 0 ? null : countRelations(primary, plan.primary, request)
  const [graph, counts] = await Promise.all([readLevels(primary, plan, request), counting])
  for (const counted of counts ?? []) addTotals(counted)
  const { included } = graph
  await addMissingFlags(included, plan.guards, request)
  await addFlattenedValues([...primary, ...included], plan.flattened, request)
  return graph
}

async function readLevels(primary: readonly GraphNode[], plan: DocumentPlan, request: ReadContext): Promise<ReadGraph> {
  const { inclusion } = plan
  const { maxIncluded, maxLinkage } = request.services
  const graph: Graph = {
    known: new Map(),
    knownOf: new Map(),
    included: [],
    limit: maxIncluded,
    linkageCount: 0,
    linkageLimit: maxLinkage,
    plan,
    request,
  }
  if (inclusion !== null) addPrimary(primary, inclusion, graph)
  let hasCursorPages = false
  let level: readonly Stage[] = [{ expansion: inclusion?.start() ?? null, nodes: primary }]
  while (level.length > 0) {
    const steps = await stepsFrom(level, request)
    for (const jobs of concurrentGroups(await jobsOf(level, steps, plan, request))) {
      const done = await Promise.all(
        jobs.map(async (job) => {
          const wanted = await relationReadOf(job, plan, request)
          hasCursorPages ||= isCursorPage(wanted.query.page)
          const limited = limitedToDocument(wanted, job, graph)
          return { job, read: await readRelation(job.relation, [...job.parents], limited, request) }
        }),
      )
      for (const { job, read } of done) countMembers(job, read.related, graph, request)
      for (const { job, read } of done) await addRelationships(job, read, graph)
    }
    level = nextLevel(steps, plan)
    for (const { nodes } of level) await addMissingFlags(nodes, plan.guards, request)
  }
  return { included: graph.included, hasCursorPages }
}

interface Graph extends DocumentCounts {
  /** The resources that other paths may lead to as well, by type and id. */
  readonly known: Map<string, GraphNode>
  readonly included: GraphNode[]
  readonly plan: DocumentPlan
  readonly request: ReadContext
}

/** Resources from which the same relations are included. */
interface Stage {
  readonly expansion: Expansion | null
  readonly nodes: readonly GraphNode[]
}

/** The relations to follow, each with the resources that it is followed from. */
type FollowedSteps = ReadonlyMap<InclusionStep, readonly GraphNode[]>

/** A relation to read at one level. */
interface Job {
  readonly relation: ServedRelation
  /** The query of the relation, if the request queries it. Then all parents are primary resources. */
  readonly queried: QueriedRelation | null
  readonly parents: Set<GraphNode>
  /** The parents whose members are shown as resources, and not only as linkage. */
  readonly showing: Set<GraphNode>
}

/**
 * Adds the primary resources to the known ones. They come in a few row sets, each with its own columns. A type is
 * skipped if no include path leads to it.
 */
function addPrimary(primary: readonly GraphNode[], inclusion: Inclusion, graph: Graph): void {
  const { known, request } = graph
  const readers = new Map<ResourceRows, IdReader | null>()
  for (const node of primary) {
    const { served, columns } = node.rows
    let identityOf = readers.get(node.rows)
    if (identityOf === undefined) {
      identityOf = inclusion.leadsTo(served) ? identityReader(served, columns) : null
      readers.set(node.rows, identityOf)
    }
    if (identityOf === null) continue
    known.set(identityOf(node.row, request.context), node)
    countKnown(graph, served)
  }
}

/** A level may have thousands of resources, so they are handled in slices. */
async function stepsFrom(level: readonly Stage[], { context }: ReadContext): Promise<FollowedSteps> {
  const steps = new Map<InclusionStep, GraphNode[]>()
  for (const { expansion, nodes } of level) {
    if (expansion === null) continue
    await forEachInSlices(nodes, (node) => {
      for (const step of expansion.follow(node.rows.served, () => objectOf(node))) {
        if (hidesRelation(node, step.relation, context)) continue
        const from = steps.get(step)
        if (from === undefined) steps.set(step, [node])
        else from.push(node)
      }
    })
  }
  return steps
}

/** Returns the relations to read at a level. A relation that was already read on another path is not read again. */
async function jobsOf(
  level: readonly Stage[],
  steps: FollowedSteps,
  plan: DocumentPlan,
  { context }: ReadContext,
): Promise<readonly Job[]> {
  const [queriedJobs, wholeJobs] = [new Map<ServedRelation, Job>(), new Map<ServedRelation, Job>()]
  const jobOf = (relation: ServedRelation, { isPrimary }: GraphNode): Job => {
    const queried = isPrimary ? plan.primary.queryOf(relation) : null
    const jobs = queried === null ? wholeJobs : queriedJobs
    const job = jobs.get(relation) ?? { relation, queried, parents: new Set(), showing: new Set() }
    jobs.set(relation, job)
    return job
  }
  for (const [{ relation }, nodes] of steps) {
    await forEachInSlices(nodes, (node) => {
      if ((node.relationships?.get(relation.name)?.members ?? null) !== null) return
      const job = jobOf(relation, node)
      job.parents.add(node)
      job.showing.add(node)
    })
  }
  // Resources of one read follow each other, and share their columns.
  const shared: { rows: ResourceRows | null; toRead: readonly ServedRelation[] } = { rows: null, toRead: [] }
  const unlinked = level.flatMap(({ nodes }) => nodes)
  await forEachInSlices(unlinked, (node) => {
    if (node.isLinked) return
    node.isLinked = true
    if (shared.rows !== node.rows) Object.assign(shared, { rows: node.rows, toRead: linkageBesidesRow(node, plan) })
    for (const relation of shared.toRead) {
      if (node.relationships?.has(relation.name) === true || hidesRelation(node, relation, context)) continue
      jobOf(relation, node).parents.add(node)
    }
  })
  return [...queriedJobs.values(), ...wholeJobs.values()]
}

/** Returns the relations whose linkage is not part of the row. A query of a primary relation may change its linkage. */
function linkageBesidesRow({ isPrimary, rows }: GraphNode, plan: DocumentPlan): readonly ServedRelation[] {
  if (!isPrimary) return plan.linkageToRead(rows.served).filter((relation) => !containsLinkage(relation, rows.columns))
  return plan
    .primaryLinkageToRead(rows.served)
    .filter((relation) => plan.primary.queryOf(relation) !== null || !containsLinkage(relation, rows.columns))
}

/**
 * Returns the read of a job. Queries of the request are of primary resources only, and are planned with the document.
 */
function relationReadOf(
  { relation, queried, showing }: Job,
  plan: DocumentPlan,
  request: ReadContext,
): Awaitable<RelationRead> {
  const as = showing.size > 0 ? 'resources' : 'linkage'
  if (queried === null) return plan.relationRead(relation, as, request)
  const flagsOf = as === 'resources' ? plan.flags : null
  return relationRead(relation, { ...queried, columnsOf: memberColumns(relation, as, plan.includedColumns), flagsOf })
}

/** Adds the relationships that were read to their resources, and new members to the document. */
function addRelationships(
  { relation, parents, showing }: Job,
  { related, relationship }: ReadRelation,
  graph: Graph,
): Awaitable<void> {
  // A queried relation may be read twice at one level: with the query for primary resources, without it for others.
  const isReadOnce = related.isVerified === true && graph.plan.primary.queryOf(relation) === null
  const nodeOf = relatedMemberReader(related, ({ served, rows }) => {
    const shared = { served, columns: rows.columns }
    const nodes: (GraphNode | undefined)[] = Array.from({ length: rows.rows.length })
    const isNew = isReadOnce && graph.plan.inclusion?.hasSinglePathTo(served) === true
    const find = isNew ? nodeAdder(shared, graph) : nodeFinder(shared, graph)
    return (row, { row: position }) => (nodes[position] ??= find(row))
  })
  return forEachInSlices([...parents], (parent, position) => {
    const members = showing.has(parent) ? (related.groups[position]?.members ?? []).map(nodeOf) : null
    const { data, total, page } = relationship(parent, position)
    setRelationship(parent, relation.name, { data, total, page, members })
  })
}

/** Returns a function that adds a new resource to the document, for resources that can occur only once. */
function nodeAdder(rows: ResourceRows, { included, limit }: Graph): (row: Row) => GraphNode {
  return (row) => {
    if (included.length >= limit) refuseIncluded(limit)
    const node = includedNode(rows, row)
    included.push(node)
    return node
  }
}

/** Returns a function that finds the resource of a row in the document, or adds a new one. */
function nodeFinder(rows: ResourceRows, graph: Graph): (row: Row) => GraphNode {
  const { known, request } = graph
  const add = nodeAdder(rows, graph)
  const identityOf = identityReader(rows.served, rows.columns)
  return (row) => {
    const identity = identityOf(row, request.context)
    const met = known.get(identity)
    if (met !== undefined) return met
    const added = add(row)
    known.set(identity, added)
    countKnown(graph, rows.served)
    return added
  }
}

/**
 * Returns the resources of the next level, each once for each expansion, even if several paths lead to it. Resources of
 * which nothing more is read are left out.
 */
function nextLevel(steps: FollowedSteps, { linkageToRead }: DocumentPlan): readonly Stage[] {
  const stages = new Map<Expansion, Set<GraphNode>>()
  for (const [{ relation, next }, nodes] of steps) {
    if (next.isEnd && [...relation.related.values()].every((served) => linkageToRead(served).length === 0)) continue
    const met = stages.get(next) ?? new Set()
    stages.set(next, met)
    for (const node of nodes) {
      for (const member of node.relationships?.get(relation.name)?.members ?? []) met.add(member)
    }
  }
  return [...stages].flatMap(([expansion, met]) => (met.size === 0 ? [] : [{ expansion, nodes: [...met] }]))
}

function addTotals({ relation, totals }: CountedRelation): void {
  for (const [node, total] of totals) {
    const read = node.relationships?.get(relation.name) ?? { data: undefined, page: null, members: null }
    setRelationship(node, relation.name, { ...read, total })
  }
}
