/** Returns a function that computes a value when it is called for the first time, and returns the same value from then on. */
export function lazily<Value extends NonNullable<unknown>>(compute: () => Value): () => Value {
  let value: Value | null = null
  return () => (value ??= compute())
}
