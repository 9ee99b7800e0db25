import type { ResourceRows } from '../../operation/response-value.js'
import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { IdReader } from '../../resource/reading/identifier.js'
import { identityReader } from '../../resource/reading/identifier.js'
import { isCursorPage } from '../paging/page-of-rows.js'
import type { Reading } from '../reading.js'
import type { CountedRelation } from '../relation/count-relations.js'
import { countRelations } from '../relation/count-relations.js'
import { addFlattenedValues } from '../relation/flattened-values.js'
import type { GraphNode } from '../relation/graph-node.js'
import { hidesRelation, includedNode, objectOf, setRelationship } from '../relation/graph-node.js'
import type { QueriedRelation } from '../relation/primary-queries.js'
import type { ReadRelation } from '../relation/read-relation.js'
import { readRelation } from '../relation/read-relation.js'
import { linkageColumns, looksAtMembers, shownRelation } from '../relation/shown-relation.js'
import { memberReader } from '../rows/related-rows.js'
import type { DocumentPlan } from './document-plan.js'
import type { Expansion, Step } from './inclusion.js'

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
  reading: Reading,
): Promise<ReadGraph> {
  const [graph, counts] = await Promise.all([
    readLevels(primary, plan, reading),
    countRelations(primary, plan.primary, reading),
  ])
  for (const counted of counts) addTotals(counted)
  await addFlattenedValues([...primary, ...graph.included], plan.flattened, reading)
  return graph
}

async function readLevels(primary: readonly GraphNode[], plan: DocumentPlan, reading: Reading): Promise<ReadGraph> {
  const graph: Graph = { known: new Map(), included: [], reading }
  if (plan.inclusion !== null) knowPrimary(primary, graph)
  const cursors: boolean[] = []
  let level: readonly Place[] = primary.map((node) => ({ node, expansion: plan.inclusion?.root ?? null }))
  while (level.length > 0) {
    const ways = waysFrom(level, reading)
    const jobs = jobsOf(level, ways, plan, reading)
    const done = await Promise.all(
      jobs.map(async (job) => {
        const { relation, parents, asked } = job
        const shown = asked ?? (await shownRelation(relation, reading))
        cursors.push(isCursorPage(shown.query.page))
        const wanted = { ...shown, columnsOf: (served: ServedType) => columnsOf(job, served, plan) }
        return { job, read: await readRelation(relation, [...parents], wanted, reading) }
      }),
    )
    for (const { job, read } of done) settle(job, read, graph)
    level = nextLevel(ways)
  }
  return { included: graph.included, hasCursorPages: cursors.includes(true) }
}

interface Graph {
  readonly known: Map<string, GraphNode>
  readonly included: GraphNode[]
  readonly reading: Reading
}

/** A resource, and what is included from it on. */
interface Place {
  readonly node: GraphNode
  readonly expansion: Expansion | null
}

/** A relation that is followed from a resource. */
interface Way {
  readonly node: GraphNode
  readonly step: Step
}

/** A relation to read at one level. */
interface Job {
  readonly relation: ServedRelation
  /** The query of the primary resources among the parents, which are then all that there are. */
  readonly asked: QueriedRelation | null
  readonly parents: Set<GraphNode>
  /** Those whose members are shown, and not only named. */
  readonly showing: Set<GraphNode>
}

/** Primary resources come in a few sets, each with its columns. */
function knowPrimary(primary: readonly GraphNode[], { known, reading }: Graph): void {
  const readers = new Map<ResourceRows, IdReader>()
  for (const node of primary) {
    const identityOf = readers.get(node.rows) ?? identityReader(node.rows.served, node.rows.columns)
    readers.set(node.rows, identityOf)
    known.set(identityOf(node.row, reading.context), node)
  }
}

function waysFrom(level: readonly Place[], { context }: Reading): readonly Way[] {
  const ways: Way[] = []
  for (const { node, expansion } of level) {
    for (const step of expansion?.follow(node.rows.served, () => objectOf(node)) ?? []) {
      if (!hidesRelation(node, step.relation, context)) ways.push({ node, step })
    }
  }
  return ways
}

/** What has been read before, on another way, is not read again. */
function jobsOf(
  level: readonly Place[],
  ways: readonly Way[],
  plan: DocumentPlan,
  { context }: Reading,
): readonly Job[] {
  const [queried, whole] = [new Map<ServedRelation, Job>(), new Map<ServedRelation, Job>()]
  const jobOf = (relation: ServedRelation, { isPrimary }: GraphNode): Job => {
    const asked = isPrimary ? plan.primary.queryOf(relation) : null
    const jobs = asked === null ? whole : queried
    const job = jobs.get(relation) ?? { relation, asked, parents: new Set(), showing: new Set() }
    jobs.set(relation, job)
    return job
  }
  for (const { node, step } of ways) {
    if ((node.relationships?.get(step.relation.name)?.members ?? null) !== null) continue
    const job = jobOf(step.relation, node)
    job.parents.add(node)
    job.showing.add(node)
  }
  for (const { node } of level) {
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

function columnsOf({ relation, showing }: Job, served: ServedType, plan: DocumentPlan): WantedColumns {
  if (showing.size === 0) return linkageColumns(relation, served)
  return looksAtMembers(relation) ? null : plan.includedColumns(served)
}

/** Adds what was read to the resources that it belongs to, and the members that nobody has met to the document. */
function settle({ relation, parents, showing }: Job, { related, relationship }: ReadRelation, graph: Graph): void {
  const nodeOf = memberReader(related, ({ served, rows: { columns } }) => {
    const shared = { served, columns }
    const identityOf = identityReader(served, columns)
    const nodes: (GraphNode | undefined)[] = []
    return (row, { row: position }) => {
      const node =
        nodes[position] ?? meet(identityOf(row, graph.reading.context), () => includedNode(shared, row), graph)
      nodes[position] = node
      return node
    }
  })
  for (const [position, parent] of [...parents].entries()) {
    const members = showing.has(parent) ? (related.groups[position]?.members ?? []).map(nodeOf) : null
    setRelationship(parent, relation.name, { ...relationship(parent, position), members })
  }
}

function meet(identity: string, make: () => GraphNode, { known, included }: Graph): GraphNode {
  const met = known.get(identity)
  if (met !== undefined) return met
  const node = make()
  known.set(identity, node)
  included.push(node)
  return node
}

/** Each resource once for each expansion, however many ways lead to it. */
function nextLevel(ways: readonly Way[]): readonly Place[] {
  const places = new Map<Expansion, Set<GraphNode>>()
  for (const { node, step } of ways) {
    const met = places.get(step.next) ?? new Set()
    places.set(step.next, met)
    for (const member of node.relationships?.get(step.relation.name)?.members ?? []) met.add(member)
  }
  return [...places].flatMap(([expansion, nodes]) => [...nodes].map((node) => ({ node, expansion })))
}

function addTotals({ relation, totals }: CountedRelation): void {
  for (const [node, total] of totals) {
    const read = node.relationships?.get(relation.name) ?? { data: undefined, page: null, members: null }
    setRelationship(node, relation.name, { ...read, total })
  }
}
