import type { RequestContext } from '../../../resource/request-context.js'

/** What stands for the request that asks: callbacks of one request are told of it in different objects. */
export function askerOf(context: RequestContext | null): object | null {
  return context === null ? null : (context.request ?? context)
}

const kept = new WeakSet<object>()

/** Says that something of a request is kept, or is to be, whatever becomes of the rest. */
export function noteKept(context: RequestContext | null): void {
  const asker = askerOf(context)
  if (asker !== null) kept.add(asker)
}

/**
 * Whether something of a request is kept. From then on it reads where it has written, and what is left of it is done though
 * its client be gone: that must not decide which half is kept.
 */
export function hasKept(context: RequestContext | null): boolean {
  const asker = askerOf(context)
  return asker !== null && kept.has(asker)
}
