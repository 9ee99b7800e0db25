import { type Policy, rowRules } from 'ashlar'
import { admins, type MusicCaller, signedIn } from './caller.js'

/** The policy of types that every caller with a token may use. */
export const withToken = (): Policy => ({
  viewAny: signedIn,
  view: signedIn,
  create: signedIn,
  update: signedIn,
  delete: signedIn,
  restore: signedIn,
  forceDelete: signedIn,
})

/** An ability for rows that belong to the caller: the column contains the id of the caller. */
export function ownRows<Column extends string>(column: Column) {
  const p = rowRules<{ readonly [Name in Column]: number | null }>()
  return p.signedIn(({ caller }) => p.eq(column, (caller as MusicCaller).id))
}

/** The policy of types whose resources only the owner and the admin may see. */
export function ownerOnly(column: string): Policy {
  const ofCaller = ownRows(column)
  return { before: admins, viewAny: signedIn, view: ofCaller, create: ofCaller, update: ofCaller, delete: ofCaller }
}
