import { sql } from 'kysely'
import type { TableName } from '../../schema/live-schema.js'
import type { ConstraintRules, ReadCatalogue } from '../dialect.js'

/** Returns the rules of an engine. */
export function mysqlConstraints({ checksHaveTables }: { readonly checksHaveTables: boolean }): ConstraintRules {
  async function checkText(constraint: string, { schema, name }: TableName, read: ReadCatalogue): Promise<string> {
    const key = `text of a constraint ${schema === null}`
    const { rows } = await read(
      { purpose: 'read constraint', key, values: [constraint, name, ...(schema === null ? [] : [schema])] },
      (named, table, of) => {
        const ofTable = checksHaveTables ? sql`c.table_name = ${table}` : sql`${table} is not null`
        const inSchema = of === undefined ? sql`database()` : sql`${of}`
        return sql`select c.check_clause from information_schema.check_constraints c
          where c.constraint_name = ${named} and ${ofTable} and c.constraint_schema = ${inSchema}`
      },
    )
    const [text] = rows[0] ?? []
    return typeof text === 'string' ? text : ''
  }

  return Object.freeze<ConstraintRules>({
    schemaBehind: () => Promise.resolve(null),
    has: () => Promise.resolve(true),
    async columnsOf(constraint, table, read) {
      if (constraint === null) return []
      const columns = await foreignKeyColumns(constraint, table, read)
      return columns.length > 0 ? columns : columnsIn(await checkText(constraint, table, read))
    },
    checkText,
    invalidValues: () => Promise.resolve([]),
  })
}

async function foreignKeyColumns(
  constraint: string,
  { schema, name }: TableName,
  read: ReadCatalogue,
): Promise<readonly string[]> {
  const key = `columns of a constraint ${schema === null}`
  const { rows } = await read(
    { key, values: [constraint, name, ...(schema === null ? [] : [schema])] },
    (named, table, of) => sql`select k.column_name from information_schema.key_column_usage k
      where k.constraint_name = ${named} and k.table_name = ${table} and k.table_schema = ${of === undefined ? sql`database()` : sql`${of}`}
      order by k.ordinal_position`,
  )
  return rows.map(([column]) => String(column))
}

/** Returns the columns that the text of a check names. They are quoted there. */
function columnsIn(text: string): readonly string[] {
  const withoutTexts = text.replaceAll(/'(?:[^'\\]|''|\\.)*'/g, '')
  return [
    ...new Set([...withoutTexts.matchAll(/`((?:[^`]|``)+)`/g)].map(([, name = '']) => name.replaceAll('``', '`'))),
  ]
}
