import type { DatabaseSchema, SchemaTable } from '../../stores/sql/schema/database-schema.js'
import { OpenError } from '../../stores/sql/dialect/pull-rules.js'
import { offered } from '../../core/errors/offered.js'
import { plainName } from './read/plain-name.js'

/** The columns that identify the rows of views, by the name of the view. No columns remove those of the last pull. */
export type ViewKeys = ReadonlyMap<string, readonly string[]>

/** Reads texts such as `order_totals=order_id`, and `lines=order_id,number`. Throws an `OpenError` for others. */
export function readViewKeys(texts: readonly string[]): ViewKeys {
  return new Map(
    texts.map((text) => {
      const end = text.lastIndexOf('=')
      if (end < 1)
        throw new OpenError(`--key takes a view and its columns, such as order_totals=order_id, not '${text}'.`)
      const columns = text.slice(end + 1).split(',')
      return [text.slice(0, end), columns.filter((column) => column !== '')]
    }),
  )
}

/** Returns the keys of the last pull, with those that are given now. */
export function mergedKeys(last: ViewKeys, given: ViewKeys): ViewKeys {
  const all = new Map([...last, ...given])
  return new Map([...all].filter(([, columns]) => columns.length > 0))
}

/** Returns the schema with the keys of its views. */
export function withViewKeys(schema: DatabaseSchema, keys: ViewKeys): DatabaseSchema {
  const keyOf = (table: SchemaTable): readonly string[] | null =>
    isView(table) ? (keys.get(table.name) ?? keys.get(plainName(table)) ?? null) : null
  return { ...schema, tables: schema.tables.map((table) => ({ ...table, viewKey: keyOf(table) })) }
}

/** Throws an `OpenError` if a given key is not one of a view of the schema. */
export function checkViewKeys({ tables }: DatabaseSchema, given: ViewKeys): void {
  const views = tables.filter(isView)
  for (const [name, columns] of given) {
    const view = views.find((each) => each.name === name || plainName(each) === name)
    if (view === undefined) {
      throw new OpenError(
        `There is no view '${name}', for which --key has columns. Views: ${offered(views.map((each) => each.name))}. Nothing is changed.`,
      )
    }
    const names = view.columns.map((column) => column.name)
    const unknown = columns.find((column) => !names.includes(column))
    if (unknown !== undefined) {
      throw new OpenError(
        `The view '${name}' has no column '${unknown}', which --key names. Columns: ${offered(names)}. Nothing is changed.`,
      )
    }
  }
}

function isView({ kind }: SchemaTable): boolean {
  return kind === 'view' || kind === 'materializedView'
}
