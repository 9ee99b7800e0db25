import { isSet } from '../reading/row-flag.js'
import type { RequestContext } from '../request-context.js'

/** Whether a request may see a field; `byRow` if each row decides. */
export type Visibility = 'visible' | 'hidden' | 'byRow'

/**
 * The ability that a caller needs to see a field of a row: that of `visibleIf()`, or of `security({ read })` of a
 * relation. Reads add a flag to their rows that says whether the caller has the ability for the row.
 */
export interface FieldGuard {
  readonly ability: string
  /** The name of that flag, which no column of the model has. */
  readonly flag: string
  /** Whether `check()` decides, which gets the whole row. A store cannot read the flag of such a guard. */
  readonly checksRow: boolean
  /** Returns whether the caller has the ability for all rows, for none, or for some. */
  visibilityIn(context: RequestContext): Visibility
  /** Sets that result for a context without a caller, with which a plan is made that several callers share. */
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

/** Whether deciding about a field takes the whole row. */
export function checksRow(spec: Guarded): boolean {
  return isGuarded(spec) && guardsOf(spec).some((guard) => guard.checksRow)
}

/** Whether a guard hides a field of a row that was read. A row without the flag of the guard hides it. */
export function guardHides(spec: Guarded, row: Readonly<Record<string, unknown>>): boolean {
  return isGuarded(spec) && guardsOf(spec).some(({ flag }) => !isSet(row[flag]))
}
