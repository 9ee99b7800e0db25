import type { DeclaredColumn } from './plan.js'
import { namedColumns } from '../../../stores/sql/schema/column-naming.js'
import type { SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { type Casing, inCasing, wordsOf } from './words.js'

/** The members of rows, by column. */
export type MemberNames = ReadonlyMap<string, string>

/** Returns unique names for the members of the rows of a table. */
export function memberNames({ columns }: SchemaTable, casing: Casing): MemberNames {
  const taken = new Set<string>()
  return new Map(
    columns.map(({ name }, index) => {
      const words = wordsOf(name)
      const member = uniqueName(inCasing(words.length === 0 ? ['column', String(index + 1)] : words, casing), taken)
      taken.add(member)
      return [name, member]
    }),
  )
}

/** Returns a name that is not taken: the name itself, or the name with a number. */
export function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}${number}`)) number++
  return `${name}${number}`
}

/** Returns the columns that a store with the naming `snake_case` would not find by the names of their members. */
export function misnamedColumns({ columns }: SchemaTable, members: MemberNames): readonly DeclaredColumn[] {
  const found = namedColumns(columns, { naming: 'snake_case', declared: new Map(), wanted: members.values() })
  return [...members].flatMap(([name, member]) => (found.get(name) === member ? [] : [{ member, name, type: null }]))
}
