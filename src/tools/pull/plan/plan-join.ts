import { columnKind } from './column-kind.js'
import type { JoinTable } from './join-tables.js'
import { namesOf, type PlanContext } from './plan-context.js'
import type { PlannedJoin, RowMember } from './plan.js'
import { type MemberNames, memberNames, misnamedColumns } from './row-members.js'
import { modelNames } from './table-name.js'
import { keyRowType } from './key-row-type.js'

/** Plans the model of a table of join rows. */
export function planJoin({ served }: JoinTable, context: PlanContext): PlannedJoin {
  const { table, key } = served
  const { file, constant, row: rowName } = namesOf(context, served)
  const members: MemberNames = memberNames(table, context.casing)
  const shown = table.columns.filter((column) => !context.secrets.has(column))
  const row = shown.map((column): RowMember => {
    const name = members.get(column.name) ?? column.name
    const kind = columnKind(column, { member: name, engine: context.schema.engine, checks: [] })
    const isKey = key.includes(column) || table.foreignKeys.some(({ columns }) => columns.includes(column.name))
    const type = isKey ? keyRowType(column) : typeof kind === 'string' ? 'unknown' : kind.rowType
    return { name, type: column.nullable ? `${type} | null` : type }
  })
  return {
    file,
    constant,
    comment: table.comment,
    model: {
      rowName,
      row,
      ...modelNames(table),
      key: key.map(({ name }) => members.get(name) ?? name),
      columns: misnamedColumns(table, members).filter(({ member }) => row.some(({ name }) => name === member)),
    },
  }
}
