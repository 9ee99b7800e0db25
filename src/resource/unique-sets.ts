import type { CompiledAttribute, CompiledType } from './compiled-type.js'
import type { Constraint } from './fields/constraint.js'
import { heldKey } from './relations/resolve-storage.js'

type UniqueRule = Extract<Constraint, { kind: 'unique' }>

/** A set of columns in which no two rows of a type agree, and the attribute that says so. */
export interface UniqueSet {
  readonly attribute: CompiledAttribute
  readonly rule: UniqueRule
  readonly columns: readonly string[]
}

/** What `unique()` says of the rows of a type. The columns of its own attribute come first. */
export function uniqueSets(type: CompiledType): readonly UniqueSet[] {
  return type.attributes.flatMap((attribute) =>
    attribute.spec.constraints.flatMap((rule): readonly UniqueSet[] => {
      if (rule.kind !== 'unique' || attribute.column === null) return []
      return [
        { attribute, rule, columns: [attribute.column, ...rule.fields.flatMap((field) => columnsOf(type, field))] },
      ]
    }),
  )
}

/** A field of a type, as the columns of its rows that hold it: none where other rows do. What is no field is a column. */
export function columnsOf(type: CompiledType, field: string): readonly string[] {
  const attribute = type.attributeNamed.get(field)
  if (attribute !== undefined) return attribute.column === null ? [] : [attribute.column]
  const relation = type.relationNamed.get(field)
  if (relation === undefined) return [field]
  const key = heldKey(relation, type)
  if (key === null) return []
  return key.type === null ? [key.id] : [key.id, key.type]
}

/** Whether two lists name the same columns, in whichever order. */
export function sameColumns(some: readonly string[], others: readonly string[]): boolean {
  const named = new Set(some)
  return named.size === new Set(others).size && others.every((column) => named.has(column))
}
