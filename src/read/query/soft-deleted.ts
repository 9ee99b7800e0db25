import type { FilterValue } from '../../operation/query-parameters.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { dateTimeKind } from '../../resource/fields/moment-kind.js'
import type { FilterSpecs } from '../../resource/filters/filter-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import { readText } from './filter-text.js'

/** What becomes of rows that are deleted softly: not there, there like others, or all that is there. */
export type SoftDeleted = 'hidden' | 'shown' | 'only'

const known = new WeakMap<CompiledType, Map<SoftDeleted, readonly RowCondition[]>>()

const none: readonly RowCondition[] = []

/** What rows of a type must meet for that: the same conditions every time. */
export function softDeleteConditions(type: CompiledType, trash: SoftDeleted): readonly RowCondition[] {
  if (type.softDeletes === null || trash === 'shown') return none
  const ofType = known.get(type) ?? new Map<SoftDeleted, readonly RowCondition[]>()
  known.set(type, ofType)
  const conditions = ofType.get(trash) ?? conditionsFor(type, trash)
  ofType.set(trash, conditions)
  return conditions
}

function conditionsFor({ softDeletes, attributes }: CompiledType, trash: SoftDeleted): readonly RowCondition[] {
  if (softDeletes === null) return none
  const { column: name } = softDeletes
  const kind = attributes.find(({ column }) => column === name)?.spec.kind ?? dateTimeKind
  const column = { of: 'row', name, kind, isKey: false } as const
  return [{ kind: 'null', column, negated: trash === 'only' }]
}

/** What a client asks of deleted rows, by the filters that it sent. Their values were looked at before. */
export function readSoftDeleted(sent: ReadonlyMap<string, FilterValue>, filters: FilterSpecs): SoftDeleted {
  let trash: SoftDeleted = 'hidden'
  for (const [key, spec] of Object.entries(filters)) {
    const value = sent.get(key)
    if (spec.test.kind !== 'trashed' || typeof value !== 'string') continue
    const reading = readText(value, { spec, target: null })
    if (reading.kind !== 'fit' || reading.stored !== true) continue
    if (spec.test.only) return 'only'
    trash = 'shown'
  }
  return trash
}
