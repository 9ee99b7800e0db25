import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { TableWorld } from './schema/wanted-tables.js'
import { wantedTables } from './schema/wanted-tables.js'

/** What would have to be kept in columns that the database computes. */
export function checkComputed(world: TableWorld): readonly DeclarationFault[] {
  return [...wantedTables(world).values()].flatMap(({ columns, members }) =>
    members.flatMap(({ property, neededBy, heldFor }) => {
      if (neededBy === null || heldFor === null || columns.get(property)?.computed === undefined) return []
      return [
        heldFor === 'writing'
          ? {
              problem: `cannot write ${neededBy}, since the database computes '${property}'`,
              remedy: 'say readOnly() of it, or keep it in another column',
            }
          : {
              problem: `cannot find rows by ${neededBy}, since the database computes '${property}'`,
              remedy: 'name a column that the table has',
            },
      ]
    }),
  )
}
