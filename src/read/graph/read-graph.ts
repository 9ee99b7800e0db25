import type { ResourceRows } from '../../operation/response-value.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { IdReader } from '../../resource/reading/id-reader.js'
import { identityReader } from '../../resource/reading/id-reader.js'
import type { Row } from '../../rows/row-set.js'
import type { Awaitable } from '../../util/types.js'
import { isCursorPage } from '../paging/page-of-rows.js'
import type { ReadContext } from '../read-context.js'
import type { CountedRelation } from './count-relations.js'
import { countRelations } from './count-relations.js'
import { addFlattenedValues } from './flattened-values.js'
import type { GraphNode } from './graph-node.js'
import { hidesRelation, includedNode, objectOf, setRelationship } from './graph-node.js'
import type { QueriedRelation } from '../plan/primary-queries.js'
import type { RelationRead } from '../plan/relation-read.js'
import { relationRead } from '../plan/relation-read.js'
import type { ReadRelation } from './read-relation.js'
import { readRelation } from './read-relation.js'
import { relatedMemberReader } from '../rows/related-rows.js'
import type { DocumentPlan } from '../plan/document-plan.js'
import { memberColumns } from '../plan/document-plan.js'
import type { Expansion, Inclusion, InclusionStep } from '../plan/inclusion.js'

/** What a document shows besides the primary resources, and how it was found. */
export interface ReadGraph {
  readonly included: readonly GraphNode[]
  readonly hasCursorPages: boolean
}

/**
 * Reads what the primary resources are to be shown with, level by level: one read per relation and level, however many
 * resources there are and by whichever ways they were reached; one more where primary resources, whose relationships are
 * queried, are among them. A resource that is met again is the one that is there already, so that nothing is shown twice,
 * and all ways to a resource meet in its linkage.
 */
export async function readGraph(
  primary: readonly GraphNode[],
  plan: DocumentPlan,
  reading: ReadContext,
): Promise<ReadGraph> {
  const counting = plan.primary.counted.length === 0 ? null : countRelations(primary, plan.primary, reading)
  const [graph, counts] = await Promise.all([readLevels(primary, plan, reading), counting])
  for (const counted of counts ?? []) addTotals(counted)
  await addFlattenedValues([...primary, ...graph.included], plan.flattened, reading)
  return graph
}

async function readLevels(primary: readonly GraphNode[], plan: DocumentPlan, reading: ReadContext): Promise<ReadGraph> {
  const { inclusion } = plan
  const graph: Graph = { known: new Map(), included: [], plan, reading }
  if (inclusion !== null) knowPrimary(primary, inclusion, graph)
  let hasCursorPages = false
  let level: readonly Stage[] = [{ expansion: inclusion?.start() ?? null, nodes: primary }]
  while (level.length > 0) {
    const ways = waysFrom(level, reading)
    const jobs = jobsOf(level, ways, plan, reading)
    const done = await Promise.all(
      jobs.map(async (job) => {
        const { relation, parents } = job
        const wanted = await relationReadOf(job, plan, reading)
        hasCursorPages ||= isCursorPage(wanted.query.page)
        return { job, read: await readRelation(relation, [...parents], wanted, reading) }
      }),
    )
    for (const { job, read } of done) settle(job, read, graph)
    level = nextLevel(ways, plan)
  }
  return { included: graph.included, hasCursorPages }
}

interface Graph {
  readonly known: Map<string, GraphNode>
  readonly included: GraphNode[]
  readonly plan: DocumentPlan
  readonly reading: ReadContext
}

/** Resources from which on the same is included. */
interface Stage {
  readonly expansion: Expansion | null
  readonly nodes: readonly GraphNode[]
}

/** The relations that are followed, each with the resources from which it is. */
type Ways = ReadonlyMap<InclusionStep, readonly GraphNode[]>

/** A relation to read at one level. */
interface Job {
  readonly relation: ServedRelation
  /** The query of the primary resources among the parents, which are then all that there are. */
  readonly asked: QueriedRelation | null
  readonly parents: Set<GraphNode>
  /** Those whose members are shown, and not only named. */
  readonly showing: Set<GraphNode>
}

/** Primary resources come in a few sets, each with its columns. Those that no way leads back to are not looked for. */
function knowPrimary(primary: readonly GraphNode[], inclusion: Inclusion, { known, reading }: Graph): void {
  const readers = new Map<ResourceRows, IdReader | null>()
  for (const node of primary) {
    const { served, columns } = node.rows
    let identityOf = readers.get(node.rows)
    if (identityOf === undefined) {
      identityOf = inclusion.leadsTo(served) ? identityReader(served, columns) : null
      readers.set(node.rows, identityOf)
    }
    if (identityOf !== null) known.set(identityOf(node.row, reading.context), node)
  }
}

function waysFrom(level: readonly Stage[], { context }: ReadContext): Ways {
  const ways = new Map<InclusionStep, GraphNode[]>()
  for (const { expansion, nodes } of level) {
    if (expansion === null) continue
    for (const node of nodes) {
      for (const step of expansion.follow(node.rows.served, () => objectOf(node))) {
        if (hidesRelation(node, step.relation, context)) continue
        const from = ways.get(step)
        if (from === undefined) ways.set(step, [node])
        else from.push(node)
      }
    }
  }
  return ways
}

/** What has been read before, on another way, is not read again. */
function jobsOf(level: readonly Stage[], ways: Ways, plan: DocumentPlan, { context }: ReadContext): readonly Job[] {
  const [queried, whole] = [new Map<ServedRelation, Job>(), new Map<ServedRelation, Job>()]
  const jobOf = (relation: ServedRelation, { isPrimary }: GraphNode): Job => {
    const asked = isPrimary ? plan.primary.queryOf(relation) : null
    const jobs = asked === null ? whole : queried
    const job = jobs.get(relation) ?? { relation, asked, parents: new Set(), showing: new Set() }
    jobs.set(relation, job)
    return job
  }
  for (const [{ relation }, nodes] of ways) {
    for (const node of nodes) {
      if ((node.relationships?.get(relation.name)?.members ?? null) !== null) continue
      const job = jobOf(relation, node)
      job.parents.add(node)
      job.showing.add(node)
    }
  }
  for (const node of level.flatMap(({ nodes }) => nodes)) {
    if (node.isLinked) continue
    node.isLinked = true
    const linkage = node.isPrimary ? plan.primaryLinkageToRead : plan.linkageToRead
    for (const relation of linkage(node.rows.served)) {
      if (node.relationships?.has(relation.name) === true || hidesRelation(node, relation, context)) continue
      jobOf(relation, node).parents.add(node)
    }
  }
  return [...queried.values(), ...whole.values()]
}

/** Returns the read of a job. Queries of the request are of primary resources only, and are planned with the document. */
function relationReadOf(
  { relation, asked, showing }: Job,
  plan: DocumentPlan,
  reading: ReadContext,
): Awaitable<RelationRead> {
  const as = showing.size > 0 ? 'resources' : 'linkage'
  if (asked === null) return plan.relationRead(relation, as, reading)
  return relationRead(relation, { ...asked, columnsOf: memberColumns(relation, as, plan.includedColumns) })
}

/** Adds what was read to the resources that it belongs to, and the members that nobody has met to the document. */
function settle({ relation, parents, showing }: Job, { related, relationship }: ReadRelation, graph: Graph): void {
  // A relation that is queried may be read twice at one level: of primary resources as queried, of others as it is.
  const isReadOnce = related.isVerified === true && graph.plan.primary.queryOf(relation) === null
  const nodeOf = relatedMemberReader(related, ({ served, rows }) => {
    const shared = { served, columns: rows.columns }
    const nodes: (GraphNode | undefined)[] = Array.from({ length: rows.rows.length })
    const isNew = isReadOnce && graph.plan.inclusion?.isMetOnce(served) === true
    const find = isNew ? nodeAdder(shared, graph) : nodeFinder(shared, graph)
    return (row, { row: position }) => (nodes[position] ??= find(row))
  })
  let position = 0
  for (const parent of parents) {
    const members = showing.has(parent) ? (related.groups[position]?.members ?? []).map(nodeOf) : null
    const { data, total, page } = relationship(parent, position)
    setRelationship(parent, relation.name, { data, total, page, members })
    position += 1
  }
}

/** New resources of the document: for what only one way leads to, and is met once. */
function nodeAdder(rows: ResourceRows, { included }: Graph): (row: Row) => GraphNode {
  return (row) => {
    const node = includedNode(rows, row)
    included.push(node)
    return node
  }
}

/** A resource that was met already, or else a new one of the document. */
function nodeFinder(rows: ResourceRows, graph: Graph): (row: Row) => GraphNode {
  const { known, reading } = graph
  const add = nodeAdder(rows, graph)
  const identityOf = identityReader(rows.served, rows.columns)
  return (row) => {
    const identity = identityOf(row, reading.context)
    const met = known.get(identity) ?? add(row)
    known.set(identity, met)
    return met
  }
}

/** Each resource once for each expansion, however many ways lead to it. Those that nothing more is read of are left out. */
function nextLevel(ways: Ways, { linkageToRead }: DocumentPlan): readonly Stage[] {
  const stages = new Map<Expansion, Set<GraphNode>>()
  for (const [{ relation, next }, nodes] of ways) {
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
