import type { JoinTable } from './join-tables.js'
import { uniqueName } from './row-members.js'
import type { ServedTable } from './served-tables.js'
import { variableName } from './source-name.js'
import { tableWords } from './table-name.js'
import { type Casing, camelCased, inCasing, pascalCased, pluralWords, singularWords, wordsOf } from './words.js'

/** The names of a table in declarations. */
export interface TableNames {
  /** The name of the type: `order-details`. */
  readonly type: string
  readonly file: string
  readonly constant: string
  /** The name of the type of its rows: `OrderDetailRow`. */
  readonly row: string
}

/** Returns unique names for the types. Types are in kebab-case, unless members are in snake_case. */
export function namedTables(
  tables: readonly ServedTable[],
  joins: readonly JoinTable[],
  casing: Casing,
): ReadonlyMap<ServedTable, TableNames> {
  const [types, files, constants, rows] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
  return new Map(
    tables.map((served) => {
      const typeCasing = casing === 'snake_case' ? 'snake_case' : 'kebab-case'
      const plain = typeWords(served, joins)
      const { schema, isQualified } = served.table
      // Tables of several schemas may have the same name.
      const isTaken = isQualified && schema !== null && types.has(inCasing(plain, typeCasing))
      const words = isTaken ? [...wordsOf(schema), ...plain] : plain
      const type = unused(inCasing(words, typeCasing), types)
      const file = unused(inCasing(words, 'kebab-case'), files)
      const constant = unused(variableName(camelCased(words)), constants)
      const row = unused(`${pascalCased(singularWords(words)).replace(/^\P{ID_Start}/u, '_$&')}Row`, rows)
      return [served, { type, file, constant, row }]
    }),
  )
}

/** Returns the words of the name of a type. The names of views and of tables of join rows are not changed to the plural. */
function typeWords(served: ServedTable, joins: readonly JoinTable[]): readonly string[] {
  const { kind } = served.table
  const words = tableWords(served.table)
  if (words.length === 0) return ['rows']
  return kind !== 'table' || joins.some((join) => join.served === served) ? words : pluralWords(words)
}

function unused(name: string, taken: Set<string>): string {
  const unique = uniqueName(name, taken)
  taken.add(unique)
  return unique
}
