import type { WorkContext } from 'ashlar'
import { callerIn } from '../access/caller.js'

/** Before something is created: it belongs to the caller, unless the document names an owner. Whom it may name, the policy says. */
export function ownedByCaller<Column extends string>(column: Column) {
  return (draft: { [Name in Column]?: number | null }, context: WorkContext): void => {
    if (draft[column] === undefined) draft[column] = callerIn(context)?.id ?? null
  }
}
