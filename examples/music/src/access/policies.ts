import { type Policy, rowRules } from 'ashlar'
import { admins, type MusicCaller, signedIn } from './caller.js'

/** For types that everybody may use who has a token. */
export const withToken = (): Policy => ({
  viewAny: signedIn,
  view: signedIn,
  create: signedIn,
  update: signedIn,
  delete: signedIn,
  restore: signedIn,
  forceDelete: signedIn,
})

/** An ability for rows that belong to the caller: their column has its id. */
export function own<Column extends string>(column: Column) {
  const p = rowRules<{ readonly [Name in Column]: number | null }>()
  return p.signedIn(({ caller }) => p.eq(column, (caller as MusicCaller).id))
}

/** For types whose resources exist for their owner and the admin alone. */
export function ownerOnly(column: string): Policy {
  const ofCaller = own(column)
  return { before: admins, viewAny: signedIn, view: ofCaller, create: ofCaller, update: ofCaller, delete: ofCaller }
}
