import type { CompiledAttribute, CompiledType } from './compiled-type.js'
import type { Constraint } from '../fields/constraint.js'
import { relationKeyColumns } from './relation-link.js'
import { ownerSideKey } from './resolve-storage.js'

type UniqueRule = Extract<Constraint, { kind: 'unique' }>

/** A set of columns whose values are unique together among the rows of a type, and the attribute that declares it. */
export interface UniqueSet {
  readonly attribute: CompiledAttribute
  readonly rule: UniqueRule
  readonly columns: readonly string[]
}

/** Returns the unique sets that `unique()` declares. The column of the declaring attribute comes first in each set. */
export function uniqueSets(type: CompiledType): readonly UniqueSet[] {
  return type.attributes.flatMap((attribute) =>
    attribute.spec.constraints.flatMap((rule): readonly UniqueSet[] => {
      if (rule.kind !== 'unique' || attribute.column === null) return []
      return [
        {
          attribute,
          rule,
          columns: [attribute.column, ...rule.fields.flatMap((field) => columnsOfField(type, field))],
        },
      ]
    }),
  )
}

/**
 * Returns the columns of the type's rows that hold a field; none if other rows hold it. A name that is not a field is
 * returned as a column name.
 */
export function columnsOfField(type: CompiledType, field: string): readonly string[] {
  const attribute = type.attributeNamed.get(field)
  if (attribute !== undefined) return attribute.column === null ? [] : [attribute.column]
  const relation = type.relationNamed.get(field)
  if (relation === undefined) return [field]
  const key = ownerSideKey(relation, type)
  if (key === null) return []
  return relationKeyColumns(key)
}

/** Returns whether two lists name the same columns, in any order. */
export function sameColumns(left: readonly string[], right: readonly string[]): boolean {
  const names = new Set(left)
  return names.size === new Set(right).size && right.every((column) => names.has(column))
}
