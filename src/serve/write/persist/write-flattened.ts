import { isDeepStrictEqual } from 'node:util'
import { pointer } from '../../../core/document/json-pointer.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import { raisedValues } from '../../hooks/raised-values.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, problem } from '../../../core/errors/json-api-error.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { keyReader } from '../../../declare/resource/parts/key-columns.js'
import type { FlattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import { flattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import type { DocumentRow, ColumnPointers } from '../conflicts/document-row.js'
import { writeRow } from '../conflicts/write-row.js'
import type { MemberWriting } from './write-members.js'
import { rereadRow } from './write-members.js'
import type { TypedRow } from '../../read/graph/follow-chains.js'
import { valueReader } from '../../read/graph/follow-chains.js'
import type { FlattenedContext } from '../flattened/resulting-ends.js'
import { resultingEnds } from '../flattened/resulting-ends.js'
import { writeTransaction } from '../../read/read-context.js'
import type { Failure } from '../columns/hydrate.js'
import { checkFailures, storedValue } from '../columns/hydrate.js'
import type { ResourceDocument } from '../document/resource-document.js'
import type { WriteOutcome } from './write-outcome.js'

/** The columns that flattened attributes set in one related row. */
export interface EndWrite extends DocumentRow {
  readonly key: unknown
  /** The attributes that were sent, by the columns that they set. */
  readonly sent: ReadonlyMap<string, CompiledAttribute>
}

interface Draft {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: readonly CompiledAttribute[]
  /** The row as it is about to be written. */
  readonly row: ColumnValues
  readonly isNew: boolean
}

/**
 * Returns the columns that a body sets in the rows at the ends of chains, one entry for each row. Values that are
 * already stored are left out. Fails with 422 for every attribute whose row does not exist, before anything is written.
 * Returns nothing if the type has a user-defined hydrator, because that writes all attributes.
 */
export async function endWrites(
  { served, document, writable, row, isNew }: Draft,
  flattened: FlattenedContext,
): Promise<readonly EndWrite[]> {
  if (served.hydrator !== null) return []
  const { attributes } = document
  const sent = writable.flatMap((attribute): readonly SentAttribute[] => {
    const chain = Object.hasOwn(attributes, attribute.name) ? flattenedChain(served, attribute) : null
    return chain === null ? [] : [{ attribute, chain }]
  })
  if (sent.length === 0) return []
  const start = { rows: { served, columns: Object.keys(row) }, row: Object.values(row) }
  const chains = sent.map(({ chain }) => chain)
  const ends = await resultingEnds(chains, { start, isNew, isDraft: true }, flattened)
  const failures: Failure[] = []
  const writes = new Map<string, EndWrite>()
  for (const { attribute, chain } of sent) {
    const { name, spec } = attribute
    const end = ends.get(chain)?.get(start)
    if (end === undefined) {
      if (attributes[name] !== null) failures.push({ problem: ownerMissing(attribute) })
      continue
    }
    const stored = valueReader(chain, ends)(start)
    const position = { pointer: attributePointer(name), name, failures }
    const sentValue = { stored: { raw: stored, wire: undefined }, siblings: attributes, position }
    const value = await storedValue(spec, attributes[name], sentValue)
    if (!isSame(spec, stored, value)) addWrite(writes, end, { attribute, column: chain.column, value })
  }
  checkFailures(failures, flattened.request.services.maxErrors)
  return [...writes.values()]
}

interface SentAttribute {
  readonly attribute: CompiledAttribute
  readonly chain: FlattenedChain
}

/** Writes the rows at the ends of chains through their persisters, after the resource itself and its relationships. */
export async function writeEnds(
  owner: ServedType,
  result: WriteOutcome,
  writes: readonly EndWrite[],
  writing: MemberWriting,
): Promise<WriteOutcome> {
  if (result.kind === 'accepted') return result
  const { context } = writing.write
  for (const [index, write] of writes.entries()) {
    const { served, key, values, sent } = write
    const { type, persister } = served
    invariant(persister !== null, `'${type.type}' has a writable flattened attribute, but no persister`)
    const transaction = writeTransaction(served, writing.open)
    const raised = await raisedValues(served, { key, values }, { open: writing.open, context })
    const updated = await writeRow(write, writes.slice(index + 1), () =>
      persister.update(type, key, raised, { transaction, context }),
    )
    if (updated === null) failAll([...sent.values()].map(ownerMissing))
  }
  const touchesOwner = writes.some(({ served: { type } }) => {
    return type.model !== null && type.model.name === owner.type.model?.name
  })
  return touchesOwner ? rereadRow(owner, result, writing) : result
}

interface ColumnValue {
  readonly attribute: CompiledAttribute
  readonly column: string
  readonly value: unknown
}

function addWrite(
  writes: Map<string, EndWrite>,
  { rows: { served, columns }, row }: TypedRow,
  { attribute, column, value }: ColumnValue,
): void {
  const key = keyReader(columns, served.type.id.column)(row)
  const identity = `${served.type.type}\n${keyText(key)}`
  const others = writes.get(identity)
  const sent = new Map(others?.sent).set(column, attribute)
  const values = { ...others?.values, [column]: value }
  writes.set(identity, {
    served,
    key,
    row: { ...others?.row, ...rowObject(columns, row) },
    values,
    clientId: null,
    sent,
    pointers: columnPointers(sent, values),
  })
}

function columnPointers(sent: EndWrite['sent'], values: ColumnValues): ColumnPointers {
  return {
    pointerTo(columns) {
      const [first] = columns.flatMap((each) => sent.get(each) ?? [])
      return first === undefined ? pointer('data') : attributePointer(first.name)
    },
    memberAt(column) {
      const attribute = sent.get(column)
      return attribute === undefined ? null : { pointer: attributePointer(attribute.name), sent: values[column] }
    },
    linkageOf: () => [],
  }
}

/**
 * Whether two stored values are the same. A store may change the form of a value that a kind has written, so both are
 * read by the kind. The result of a user-defined function is compared as it is.
 */
function isSame({ kind, deserialize }: AttributeSpec, stored: unknown, value: unknown): boolean {
  const read = (each: unknown): unknown => {
    if (each === null || each === undefined) return null
    return deserialize === null ? kind.read(each) : each
  }
  return isDeepStrictEqual(read(stored), read(value))
}

function attributePointer(attribute: string): string {
  return pointer('data', 'attributes', attribute)
}

function ownerMissing({ name, spec }: CompiledAttribute): Problem {
  return problem(
    'RELATED_ATTRIBUTE_OWNER_MISSING',
    { attribute: name, relation: (spec.on ?? []).join('.') },
    { source: { pointer: attributePointer(name) } },
  )
}
