import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../resource/reading/flattened-chain.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import { changesAnything } from '../linkage/linkage-change.js'
import { scopeConditions } from '../../read/query/scope-conditions.js'
import type { ReadContext } from '../../read/read-context.js'
import { findRow } from '../../read/rows/fetch-row.js'
import type { OpenTransactions } from '../../read/open-transactions.js'
import { readTransaction } from '../../read/open-transactions.js'
import type { ChainEnds, TypedRow } from '../../read/graph/follow-chains.js'
import { followChains } from '../../read/graph/follow-chains.js'

/** The resource that chains start from, while it is being written. */
export interface ChainStart {
  readonly start: TypedRow
  /** Whether it is only being made: nothing can point at it yet. */
  readonly isNew: boolean
  /** Whether the keys in its row are those that it will have; if not, they are what is stored, or none. */
  readonly isDraft: boolean
}

export interface FlattenedContext {
  readonly changes: readonly LinkageChange[]
  readonly open: OpenTransactions | null
  readonly reading: ReadContext
}

/** The ends that chains will have once the relationships of a body are applied. */
export async function resultingEnds(
  chains: readonly FlattenedChain[],
  from: ChainStart,
  occasion: FlattenedContext,
): Promise<ReadonlyMap<FlattenedChain, ChainEnds>> {
  const firsts = new Set(chains.flatMap(({ relations: [first] }) => first ?? []))
  const known = new Map<ServedRelation, TypedRow | null>()
  for (const relation of firsts) {
    const end = await knownEnd(relation, from, occasion)
    if (end !== undefined) known.set(relation, end)
  }
  const { open, reading } = occasion
  return followChains([from.start], chains, {
    request: { ...reading, open },
    known,
  })
}

/** What a relation will lead to, where its row does not say so; `undefined` where it is to be followed. */
async function knownEnd(
  relation: ServedRelation,
  { isNew, isDraft }: ChainStart,
  occasion: FlattenedContext,
): Promise<TypedRow | null | undefined> {
  const { kind } = relation.storage
  if (isDraft && kind === 'ownKey') return undefined
  const change = occasion.changes.find((each) => each.relation === relation)
  if (change !== undefined && changesAnything(change)) return linkedRow(change, occasion)
  const isInRow = isDraft && (kind === 'function' || kind === 'provider')
  return isNew && !isInRow ? null : undefined
}

/** The row that a body names for a to-one relation. One that is not there, or not for this caller, is told elsewhere. */
async function linkedRow(
  { relation, resulting }: LinkageChange,
  { open, reading: { context } }: FlattenedContext,
): Promise<TypedRow | null | undefined> {
  const [named] = resulting
  const served = named === undefined ? undefined : relation.related.get(named.type)
  if (named === undefined || served === undefined || !served.type.id.hasFormat(named.id)) return null
  if (served.provider === null) return undefined
  const found = await findRow(served, named.id, {
    columns: null,
    conditions: scopeConditions(served),
    transaction: readTransaction(served, open),
    context,
  })
  const [row] = found?.rows ?? []
  return found === null || row === undefined ? null : { rows: { served, columns: found.columns }, row }
}
