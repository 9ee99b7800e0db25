import type { PlanContext } from './plan-context.js'
import type { PullNote } from './plan.js'

/** Returns a note for each table with relations that only the names of its columns show. */
export function namedRelations({ keys, joins, polymorphic }: PlanContext): readonly PullNote[] {
  const found = [
    ...keys.flatMap(({ from, to, columns, isByName }) =>
      isByName ? [{ table: from.table.name, text: `${columns[0]?.name ?? ''} to ${to.table.name}` }] : [],
    ),
    ...joins.flatMap(({ served: { table }, sides }) =>
      sides.flatMap(({ isByName, columns, table: target }) =>
        isByName === true ? [{ table: table.name, text: `${columns[0] ?? ''} to ${target ?? ''}` }] : [],
      ),
    ),
    ...polymorphic.map(({ from, targets, id }) => {
      const names = targets.map(({ table }) => table.name)
      return { table: from.table.name, text: `${id.name} to ${names.join(' or ')}` }
    }),
  ]
  const tables = [...new Set(found.map(({ table }) => table))]
  return tables.map((subject) => {
    const texts = found.filter(({ table }) => table === subject).map(({ text }) => text)
    return { kind: 'byName', subject, sentence: `${texts.join(', ')}.` }
  })
}
