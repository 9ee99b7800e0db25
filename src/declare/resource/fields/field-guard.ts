import { isSet } from '../../../core/rows/row-set.js'
import type { RequestContext } from '../request/request-context.js'

/** Whether a request may see a field; `byRow` if each row decides. */
export type Visibility = 'visible' | 'hidden' | 'byRow'

/**
 * The ability that a caller needs to see a field of a row: that of `visibleIf()`, or of `security({ read })` of a
 * relation. Reads add a flag to their rows: whether the caller has the ability for the row.
 */
export interface FieldGuard {
  readonly ability: string
  /** The name of that flag, which no column of the model has. */
  readonly flag: string
  /** Whether `check()` decides, which gets the whole row. A store cannot read the flag of such a guard. */
  readonly checksRow: boolean
  /** Returns whether the caller has the ability for all rows, for none, or for some. */
  visibilityIn(context: RequestContext): Visibility
  /** Sets that result for a context without a caller, which is used to create a plan that several callers share. */
  assume(context: RequestContext, visibility: Visibility): void
}

/** A field that guards may hide. */
interface Guarded {
  readonly guard: FieldGuard | null
  readonly readGuard: FieldGuard | null
}

/** Returns the guards of a field. All of them must let the field be seen. */
export function guardsOf({ guard, readGuard }: Guarded): readonly FieldGuard[] {
  if (guard === null) return readGuard === null ? none : [readGuard]
  return readGuard === null ? [guard] : [guard, readGuard]
}

const none: readonly FieldGuard[] = Object.freeze([])

export function isGuarded({ guard, readGuard }: Guarded): boolean {
  return guard !== null || readGuard !== null
}

/** Returns whether the decision about a field needs the whole row. */
export function checksRow(spec: Guarded): boolean {
  return isGuarded(spec) && guardsOf(spec).some((guard) => guard.checksRow)
}

/** Returns whether a guard hides a field of a row. The field is hidden if the row does not have the flag of the guard. */
export function guardHides(spec: Guarded, row: Readonly<Record<string, unknown>>): boolean {
  return isGuarded(spec) && guardsOf(spec).some(({ flag }) => !isSet(row[flag]))
}
