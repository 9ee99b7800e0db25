import { type NamedTable, plainName } from '../read/plain-name.js'
import { wordsOf } from './words.js'

/** Returns the words of the name of a table, without its schema. */
export function tableWords(table: NamedTable): readonly string[] {
  return wordsOf(plainName(table))
}

/** Returns the name and the schema as a model declares them: `sales.orders`, or apart if the name has a dot. */
export function modelNames(table: NamedTable): { readonly table: string; readonly schema: string | null } {
  const plain = plainName(table)
  return plain.includes('.') ? { table: plain, schema: table.schema } : { table: table.name, schema: null }
}
