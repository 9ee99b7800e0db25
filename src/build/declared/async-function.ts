/** A value that comes with a promise comes too late for whoever asked for it. */
export const atOnce = 'answer without a promise: the value is needed at once'

export function isAsyncFunction(value: unknown): boolean {
  if (typeof value !== 'function') return false
  return /^\[object Async(?:Generator)?Function\]$/.test(Object.prototype.toString.call(value))
}

/** A function that answers at once, as far as one can see from outside. */
export function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && !isAsyncFunction(value)
}
