import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import { comparedNames } from '../../../declare/resource/fields/constraint.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { FlattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import { flattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import { memoize } from '../../../core/util/memoize.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { TypedRow } from '../../read/graph/follow-chains.js'
import { valueReader } from '../../read/graph/follow-chains.js'
import type { FlattenedContext } from './resulting-ends.js'
import { resultingEnds } from './resulting-ends.js'
import type { ResourceDocument } from '../document/resource-document.js'

/** The state of the flattened attributes of a resource, for validation. */
export interface FlattenedState {
  /**
   * The document without the attributes that are sent as `null` and whose related row is missing: clients read `null`
   * for those.
   */
  readonly document: ResourceDocument
  /** The values of the attributes after the relationships of the body are applied, by column. */
  readonly values: RowObject
}

interface FlattenedWrite {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: readonly CompiledAttribute[]
  /** The stored row; `null` on create. */
  readonly start: TypedRow | null
}

export function flattenedState(write: FlattenedWrite, context: FlattenedContext): Awaitable<FlattenedState> {
  const { served, document } = write
  return hasFlattened(served.type.attributes) ? stateOf(write, context) : { document, values: none }
}

const none: RowObject = Object.freeze({})

/** Whether a type has flattened attributes. Memoized, because most types have none. */
export const hasFlattened: (attributes: readonly CompiledAttribute[]) => boolean = memoize((attributes) =>
  attributes.some(({ spec }) => spec.on !== null),
)

async function stateOf(
  { served, document, writable, start }: FlattenedWrite,
  context: FlattenedContext,
): Promise<FlattenedState> {
  const { attributes } = document
  const isCleared = ({ name }: CompiledAttribute): boolean => attributes[name] === null
  // A new resource has no stored values: only the cleared attributes matter.
  const relevant = start === null ? writable.filter(isCleared) : [...writable, ...comparedWith(served, writable)]
  const chains = new Map(
    relevant.flatMap((attribute): readonly (readonly [CompiledAttribute, FlattenedChain])[] => {
      const chain = flattenedChain(served, attribute)
      return chain === null ? [] : [[attribute, chain]]
    }),
  )
  if (chains.size === 0) return { document, values: {} }
  const from = start ?? { rows: { served, columns: [] }, row: [] }
  const ends = await resultingEnds(
    [...chains.values()],
    { start: from, isNew: start === null, isDraft: false },
    context,
  )
  const ownerless = writable.filter((attribute) => {
    const chain = chains.get(attribute)
    return chain !== undefined && isCleared(attribute) && ends.get(chain)?.get(from) === undefined
  })
  const values = [...chains.values()].map((chain) => [chain.valueColumn, valueReader(chain, ends)(from)] as const)
  return { document: without(document, ownerless), values: Object.fromEntries(values) }
}

/** Returns the attributes that constraints of others compare with. */
function comparedWith(
  { type: { attributeNamed } }: ServedType,
  attributes: readonly CompiledAttribute[],
): readonly CompiledAttribute[] {
  const names = new Set(attributes.flatMap(({ spec }) => spec.constraints.flatMap(comparedNames)))
  return [...names].flatMap((name) => attributeNamed.get(name) ?? [])
}

function without(document: ResourceDocument, attributes: readonly CompiledAttribute[]): ResourceDocument {
  if (attributes.length === 0) return document
  const names = new Set(attributes.map(({ name }) => name))
  const others = Object.entries(document.attributes).filter(([name]) => !names.has(name))
  return { ...document, attributes: Object.fromEntries(others) }
}
