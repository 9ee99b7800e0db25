import { useSyncExternalStore } from 'react'

/** The key of the token in the session storage, which is cleared when the browser tab is closed. */
const key = 'token'

const listeners = new Set<() => void>()
let reason = ''

/** Returns the token of the signed-in user; `null` if no user is signed in. */
export function currentToken(): string | null {
  return sessionStorage.getItem(key)
}

/** Returns why the last session has ended; empty if the user has signed out. */
export function endReason(): string {
  return reason
}

export function signIn(token: string): void {
  sessionStorage.setItem(key, token)
  reason = ''
  for (const listener of listeners) listener()
}

export function signOut(because = ''): void {
  sessionStorage.removeItem(key)
  reason = because
  for (const listener of listeners) listener()
}

/** Returns the headers that authenticate a request. */
export function authorization(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

export function useToken(): string | null {
  return useSyncExternalStore(subscribe, currentToken)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
