import type { ResourceNode } from '../../operation/response-value.js'
import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../resource/reading/flattened-chain.js'
import { parentColumns } from '../../resource/relations/relation-link.js'
import { readTransaction } from '../open-transactions.js'
import type { ReadContext } from '../read-context.js'
import { loadRelated } from '../rows/load-related.js'
import { relatedMemberReader } from '../rows/related-rows.js'
import { parentRows } from './read-relation.js'
import { wholeRelationRead } from '../plan/relation-read.js'

/** A row, with its type and its columns. */
export type TypedRow = Pick<ResourceNode, 'rows' | 'row'>

/** The row at the end of a chain, by the row that it starts from; none where the chain breaks off. */
export type ChainEnds = ReadonlyMap<TypedRow, TypedRow>

export interface Following {
  readonly reading: ReadContext
  /** The row that a first relation leads to, or none, where that is known already: it is not read then. */
  readonly known?: ReadonlyMap<ServedRelation, TypedRow | null>
}

/**
 * Follows chains of to-one relations from several rows of one type: one read per relation, for all rows, and for all
 * chains that begin with the same relations. A row that its type's scope hides from the caller ends a chain like one that
 * is not there.
 */
export async function followChains(
  starts: readonly TypedRow[],
  chains: readonly FlattenedChain[],
  following: Following,
): Promise<ReadonlyMap<FlattenedChain, ChainEnds>> {
  return new Map(await followFrom(starts, { chains, depth: 0 }, following))
}

/** Reads the value of a chain by the row that it starts from: null where it breaks off. */
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

interface Stretch {
  readonly chains: readonly FlattenedChain[]
  /** How many relations of them lie behind. */
  readonly depth: number
}

type Followed = readonly (readonly [FlattenedChain, ChainEnds])[]

async function followFrom(
  starts: readonly TypedRow[],
  { chains, depth }: Stretch,
  following: Following,
): Promise<Followed> {
  const led = new Map<ServedRelation, FlattenedChain[]>()
  for (const chain of chains) {
    const relation = chain.relations[depth]
    if (relation !== undefined) led.set(relation, [...(led.get(relation) ?? []), chain])
  }
  const followed = await Promise.all(
    [...led].map(([relation, own]) => followOver(starts, relation, { chains: own, depth: depth + 1 }, following)),
  )
  return followed.flat()
}

async function followOver(
  starts: readonly TypedRow[],
  relation: ServedRelation,
  { chains, depth }: Stretch,
  following: Following,
): Promise<Followed> {
  const known = depth === 1 ? following.known?.get(relation) : undefined
  const reached: ChainEnds =
    known === undefined
      ? await readEnds(starts, relation, { chains, depth }, following)
      : new Map(known === null ? [] : starts.map((start) => [start, known]))
  const ended = chains.filter(({ relations }) => relations.length === depth)
  const rest = await followFrom([...new Set(reached.values())], { chains, depth }, following)
  return [
    ...ended.map((chain) => [chain, reached] as const),
    ...rest.map(([chain, ends]) => [chain, joined(reached, ends)] as const),
  ]
}

/** The rows that one relation leads to. */
async function readEnds(
  starts: readonly TypedRow[],
  relation: ServedRelation,
  stretch: Stretch,
  { reading }: Following,
): Promise<ChainEnds> {
  const [first] = starts
  if (first === undefined) return new Map()
  const owner = first.rows.served
  const columnsOf = (served: ServedType): WantedColumns => wantedColumns(served, stretch)
  const criteria = {
    ...wholeRelationRead(relation, columnsOf, reading).criteria,
    context: reading.context,
    transaction: readTransaction(owner, reading.open),
  }
  const { groups, sets } = await loadRelated(owner, relation, parentRows(relation, starts), criteria)
  const placed = relatedMemberReader({ sets }, ({ served, rows: { columns } }) => {
    const rows = { served, columns }
    const ends: TypedRow[] = []
    return (row, { row: position }) => (ends[position] ??= { rows, row })
  })
  return new Map(
    starts.flatMap((start, position): readonly (readonly [TypedRow, TypedRow])[] => {
      const [member] = groups[position]?.members ?? []
      return member === undefined ? [] : [[start, placed(member)]]
    }),
  )
}

/** The values at the ends, the key, and what the relations that follow stand on; all where somebody looks at the row. */
function wantedColumns({ type, serializer }: ServedType, { chains, depth }: Stretch): WantedColumns {
  if (serializer !== null) return null
  const wanted = new Set([type.id.column])
  for (const { relations, column } of chains) {
    const next = relations[depth]
    const columns = next === undefined ? [column] : parentColumns(next)
    if (columns === null) return null
    for (const each of columns) wanted.add(each)
  }
  return [...wanted]
}

function joined(reached: ChainEnds, ends: ChainEnds): ChainEnds {
  const all = new Map<TypedRow, TypedRow>()
  for (const [start, passed] of reached) {
    const end = ends.get(passed)
    if (end !== undefined) all.set(start, end)
  }
  return all
}
