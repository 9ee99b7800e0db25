import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** A column is written by one attribute at most, and that of the id by none: else one of the two loses what was sent. */
export const oneWriter: BuildRule = eachType((declared) => {
  const writers = new Map<string, string>([[declared.type.id.column, 'id']])
  return writersOf(declared).flatMap(({ member, column }): readonly TypeFault[] => {
    const other = writers.get(column)
    writers.set(column, other ?? member)
    // An attribute called `id` is told so already.
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

export interface Writer {
  readonly member: string
  readonly column: string
  readonly spec: AttributeSpec
}

export function writersOf({ type, hydrator }: DeclaredType): readonly Writer[] {
  if (hydrator !== null) return []
  return type.attributes.flatMap(({ name, spec }) => writersIn(name, name, spec))
}

/** The columns that a client writes with an attribute; the children of a map are columns of the same row. */
export function writersIn(member: string, name: string, spec: AttributeSpec): readonly Writer[] {
  const { computed, on, fill, hidden, readOnlyOnCreate, readOnlyOnUpdate, kind } = spec
  const frozen = readOnlyOnCreate === true && readOnlyOnUpdate === true
  if (computed || on !== null || fill !== null || hidden === true || frozen) return []
  if (kind.children !== 'columns') return [{ member, column: spec.storedAs ?? name, spec }]
  return Object.entries(spec.children).flatMap(([child, own]) => writersIn(`${member}.${child}`, child, own))
}
