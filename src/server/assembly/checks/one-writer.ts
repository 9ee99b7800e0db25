import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/**
 * Checks that at most one attribute writes a column, and none the id column. Otherwise one of two sent values is lost.
 */
export const oneWriter: BuildRule = eachType((declared) => {
  // Attributes may write the columns of a composite id: together they are the id of a new resource.
  const writers = new Map<string, string>([[declared.type.id.column, 'id']])
  return writersOf(declared).flatMap(({ member, column }): readonly TypeFault[] => {
    const other = writers.get(column)
    writers.set(column, other ?? member)
    // An attribute called `id` is reported by the rule memberNames.
    if (other === undefined || member === 'id') return []
    return [
      {
        member,
        problem: `writes the column '${column}', which '${other}' writes too`,
        remedy: 'make it readOnly(), or store it in another column with storedAs()',
      },
    ]
  })
})

/** An attribute that clients can write, and the column that it writes. */
export interface ColumnWriter {
  readonly member: string
  readonly column: string
  readonly spec: AttributeSpec
}

export function writersOf({ type, hydrator }: DeclaredType): readonly ColumnWriter[] {
  if (hydrator !== null) return []
  return type.attributes.flatMap(({ name, spec }) => writersIn(name, name, spec))
}

/** Returns the columns that clients write with an attribute. The children of a map are columns of the same row. */
export function writersIn(member: string, name: string, spec: AttributeSpec): readonly ColumnWriter[] {
  const { computed, on, fill, hidden, readOnlyOnCreate, readOnlyOnUpdate, kind } = spec
  const isReadOnly = readOnlyOnCreate === true && readOnlyOnUpdate === true
  if (computed || on !== null || fill !== null || hidden === true || isReadOnly) return []
  if (kind.children !== 'columns') return [{ member, column: spec.storedAs ?? name, spec }]
  return Object.entries(spec.children).flatMap(([child, childSpec]) =>
    writersIn(`${member}.${child}`, child, childSpec),
  )
}
