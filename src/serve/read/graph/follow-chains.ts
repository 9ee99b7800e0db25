import type { ResourceNode } from '../../operation/response-value.js'
import type { WantedColumns } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { FlattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import { parentColumns } from '../../../declare/resource/compiled/relation-link.js'
import { readTransaction } from '../read-context.js'
import type { ReadContext } from '../read-context.js'
import { loadRelated } from '../rows/load-related.js'
import { relatedMemberReader } from '../rows/related-rows.js'
import { parentRows } from './read-relation.js'
import { wholeRelationRead } from '../plan/relation-read.js'

/** A row, with its type and its columns. */
export type TypedRow = Pick<ResourceNode, 'rows' | 'row'>

/** The row at the end of a chain, by the row that the chain starts from; no entry if the chain ends at no row. */
export type ChainEnds = ReadonlyMap<TypedRow, TypedRow>

export interface FollowOptions {
  readonly request: ReadContext
  /** The related row of the first relation of a chain, or `null`, if it is already known: it is not read. */
  readonly known?: ReadonlyMap<ServedRelation, TypedRow | null>
}

/**
 * Follows chains of to-one relations from several rows of one type. Each relation is read once, for all rows and for
 * all chains that begin with the same relations. A row that is hidden from the client by the scope of its type ends a
 * chain as if it did not exist.
 */
export async function followChains(
  starts: readonly TypedRow[],
  chains: readonly FlattenedChain[],
  options: FollowOptions,
): Promise<ReadonlyMap<FlattenedChain, ChainEnds>> {
  return new Map(await followFrom(starts, { chains, depth: 0 }, options))
}

/**
 * Returns a function that reads the value of a chain for the row that the chain starts from; null if there is
 * no row at its end.
 */
export function valueReader(
  chain: FlattenedChain,
  followed: ReadonlyMap<FlattenedChain, ChainEnds>,
): (start: TypedRow) => unknown {
  const ends = followed.get(chain)
  return (start) => {
    const end = ends?.get(start)
    return end === undefined ? null : end.row[end.rows.columns.indexOf(chain.column)]
  }
}

/** Chains that begin with the same relations. */
interface SharedStart {
  readonly chains: readonly FlattenedChain[]
  /** The number of relations that were already followed. */
  readonly depth: number
}

type FollowedChains = readonly (readonly [FlattenedChain, ChainEnds])[]

async function followFrom(
  starts: readonly TypedRow[],
  { chains, depth }: SharedStart,
  options: FollowOptions,
): Promise<FollowedChains> {
  const byRelation = new Map<ServedRelation, FlattenedChain[]>()
  for (const chain of chains) {
    const relation = chain.relations[depth]
    if (relation !== undefined) byRelation.set(relation, [...(byRelation.get(relation) ?? []), chain])
  }
  const followed = await Promise.all(
    [...byRelation].map(([relation, next]) =>
      followOver(starts, relation, { chains: next, depth: depth + 1 }, options),
    ),
  )
  return followed.flat()
}

async function followOver(
  starts: readonly TypedRow[],
  relation: ServedRelation,
  { chains, depth }: SharedStart,
  options: FollowOptions,
): Promise<FollowedChains> {
  const known = depth === 1 ? options.known?.get(relation) : undefined
  const reached: ChainEnds =
    known === undefined
      ? await readEnds(starts, relation, { chains, depth }, options)
      : new Map(known === null ? [] : starts.map((start) => [start, known]))
  const ended = chains.filter(({ relations }) => relations.length === depth)
  const rest = await followFrom([...new Set(reached.values())], { chains, depth }, options)
  return [
    ...ended.map((chain) => [chain, reached] as const),
    ...rest.map(([chain, ends]) => [chain, connected(reached, ends)] as const),
  ]
}

/** Reads the related row of each start. */
async function readEnds(
  starts: readonly TypedRow[],
  relation: ServedRelation,
  shared: SharedStart,
  { request }: FollowOptions,
): Promise<ChainEnds> {
  const [first] = starts
  if (first === undefined) return new Map()
  const owner = first.rows.served
  const columnsOf = (served: ServedType): WantedColumns => wantedColumns(served, shared)
  const criteria = {
    ...wholeRelationRead(relation, columnsOf, request).criteria,
    context: request.context,
    transaction: readTransaction(owner, request.open),
  }
  const { groups, sets } = await loadRelated(owner, relation, parentRows(relation, starts), criteria)
  const endOf = relatedMemberReader({ sets }, ({ served, rows: { columns } }) => {
    const rows = { served, columns }
    const ends: TypedRow[] = []
    return (row, { row: position }) => (ends[position] ??= { rows, row })
  })
  return new Map(
    starts.flatMap((start, position): readonly (readonly [TypedRow, TypedRow])[] => {
      const [member] = groups[position]?.members ?? []
      return member === undefined ? [] : [[start, endOf(member)]]
    }),
  )
}

/**
 * Returns the columns to read: the key, the values at the ends, and the columns that the next relations need. Returns
 * `null` for all columns if user-defined code gets the row.
 */
function wantedColumns({ type, serializer }: ServedType, { chains, depth }: SharedStart): WantedColumns {
  if (serializer !== null) return null
  const wanted = new Set(keyColumns(type.id.column))
  for (const { relations, column } of chains) {
    const next = relations[depth]
    const columns = next === undefined ? [column] : parentColumns(next)
    if (columns === null) return null
    for (const each of columns) wanted.add(each)
  }
  return [...wanted]
}

/** Connects the first relations of a chain with the rest of it. */
function connected(reached: ChainEnds, ends: ChainEnds): ChainEnds {
  const all = new Map<TypedRow, TypedRow>()
  for (const [start, passed] of reached) {
    const end = ends.get(passed)
    if (end !== undefined) all.set(start, end)
  }
  return all
}
