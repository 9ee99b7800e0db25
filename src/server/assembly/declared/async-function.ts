/** The remedy for an async function whose result is not awaited. */
export const synchronousRemedy = 'use a synchronous function: the result is not awaited'

export function isAsyncFunction(value: unknown): boolean {
  if (typeof value !== 'function') return false
  return /^\[object Async(?:Generator)?Function\]$/.test(Object.prototype.toString.call(value))
}

/** Returns whether a value is a function that is not declared `async`. It may still return a promise. */
export function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && !isAsyncFunction(value)
}
