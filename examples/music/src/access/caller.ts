import { rowRules } from 'ashlar'

/** Who calls: a user with a token. */
export interface MusicCaller {
  readonly id: number
  readonly admin: boolean
}

/**
 * The caller of a request; `null` for nobody. A service of yours registers the type once, and needs no such function: see
 * docs/reference/access.md. The example must not, because it is compiled together with tests whose callers have other types.
 */
export function callerIn({ caller }: { readonly caller: unknown }): MusicCaller | null {
  return caller as MusicCaller | null
}

const p = rowRules()

/** An ability of everybody who has a token. */
export const signedIn = p.signedIn(() => true)

export function isAdmin(context: { readonly caller: unknown }): boolean {
  return callerIn(context)?.admin === true
}

/** Runs before the abilities of a policy: the admin has all of them. */
export function admins(context: { readonly caller: unknown }): true | null {
  return isAdmin(context) ? true : null
}
