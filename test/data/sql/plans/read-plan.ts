import type { Pool } from 'pg'

/** How PostgreSQL has run a statement. */
export interface ReadPlan {
  /** All rows that it has read from tables and indexes, including discarded ones. */
  readonly rowsRead: number
  /** The most rows that it has put in order. */
  readonly rowsSorted: number
  /** Tables that it has read from one end to the other. */
  readonly scanned: readonly string[]
  readonly indexes: readonly string[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

export async function readPlan(pool: Pool, sql: string, values: readonly unknown[]): Promise<ReadPlan> {
  const explained = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${sql}`,
    [...values],
  )
  const nodes = explained.rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => allNodes(Plan)))
  const sorts = nodes.filter((node) => node['Node Type'].endsWith('Sort'))
  return {
    rowsRead: sum(nodes.filter((node) => node['Relation Name'] !== undefined).map(rowsOf)),
    rowsSorted: Math.max(0, ...sorts.flatMap(({ Plans = [] }) => Plans.map(rowsOf))),
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].toSorted(),
  }
}

function allNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)]
}

/** Rows are reported for one loop. */
function rowsOf(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
