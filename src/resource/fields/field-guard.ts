import type { RequestContext } from '../request-context.js'

/** Whether a request may see a field; `byRow` if each row decides. */
export type Visibility = 'visible' | 'hidden' | 'byRow'

/**
 * The ability that a caller needs to see a field of a row: that of `visibleIf()`, or of `security({ read })` of a
 * relation. Reads add a column to their rows that says whether the caller has the ability for the row.
 */
export interface FieldGuard {
  readonly ability: string
  /** The name of that column, which no column of the model has. */
  readonly column: string
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

/** Whether a guard hides a field of a row that was read. A row without the column of the guard hides it. */
export function guardHides(spec: Guarded, row: Readonly<Record<string, unknown>>): boolean {
  return isGuarded(spec) && guardsOf(spec).some(({ column }) => row[column] !== true)
}
