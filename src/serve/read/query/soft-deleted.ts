import type { FilterValue } from '../../operation/query-parameters.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { dateTimeKind } from '../../../declare/resource/fields/moment-kind.js'
import type { FilterSpecs } from '../../../declare/resource/filters/filter-spec.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { readText } from './filter-text.js'

/** How soft-deleted rows are treated: hidden, shown like other rows, or shown without other rows. */
export type SoftDeleted = 'hidden' | 'shown' | 'only'

const conditionCache = new WeakMap<CompiledType, Map<SoftDeleted, readonly RowCondition[]>>()

const none: readonly RowCondition[] = []

/**
 * Returns the conditions that apply the treatment of soft-deleted rows. They are the same objects in every request,
 * since stores compare the criteria of cached reads.
 */
export function softDeleteConditions(type: CompiledType, trash: SoftDeleted): readonly RowCondition[] {
  if (type.softDeletes === null || trash === 'shown') return none
  const ofType = conditionCache.get(type) ?? new Map<SoftDeleted, readonly RowCondition[]>()
  conditionCache.set(type, ofType)
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

/** Returns how the filters of a client treat soft-deleted rows. Their values were checked before. */
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
