import { rowRules } from 'ashlar'

/** The caller of a request: a user with a token. */
export interface MusicCaller {
  readonly id: number
  readonly admin: boolean
}

/**
 * Returns the caller of a request; `null` for anonymous requests. Your service registers the type of callers once, and needs no such
 * function: see docs/reference/access.md. This example cannot, because it is compiled together with tests whose callers have other types.
 */
export function callerIn({ caller }: { readonly caller: unknown }): MusicCaller | null {
  return caller as MusicCaller | null
}

const p = rowRules()

/** An ability of every caller with a token. */
export const signedIn = p.signedIn()

export function isAdmin(context: { readonly caller: unknown }): boolean {
  return callerIn(context)?.admin === true
}

/** Runs before the abilities of a policy: the admin has all of them. */
export function admins(context: { readonly caller: unknown }): true | null {
  return isAdmin(context) ? true : null
}
