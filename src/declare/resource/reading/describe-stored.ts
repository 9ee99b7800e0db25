/** The longest description of a value. */
const MAX_LENGTH = 60

/** Describes a stored value for the log: its text, shortened. */
export function describeStored(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  const text = textOf(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Date) return String(value)
  try {
    return (
      JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? 'a value'
    )
  } catch {
    return 'a value'
  }
}
