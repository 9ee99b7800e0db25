import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { StoreDeclarations } from './schema/wanted-tables.js'
import { wantedTables } from './schema/wanted-tables.js'

/** Reports members that need a stored column but are declared as computed by the database. */
export function checkComputed(declarations: StoreDeclarations): readonly DeclarationFault[] {
  return [...wantedTables(declarations).values()].flatMap(({ columns, members }) =>
    members.flatMap(({ property, neededBy, storedFor: heldFor }) => {
      if (neededBy === null || heldFor === null || columns.get(property)?.computed === undefined) return []
      return [
        heldFor === 'writing'
          ? {
              problem: `cannot write ${neededBy}, since the database computes '${property}'`,
              remedy: 'call readOnly() on it, or store it in another column',
            }
          : {
              problem: `cannot find rows by ${neededBy}, since the database computes '${property}'`,
              remedy: 'name a column that the table has',
            },
      ]
    }),
  )
}
