/** A value as text, in the format of its type. */
export type SentText = string | null

/** A value that can be sent to PostgreSQL. */
export type SentValue = SentText | Uint8Array

/**
 * Converts a parameter value for PostgreSQL. pg itself writes dates in the local time zone, and runs two regular
 * expressions per array item.
 */
export function sentValue(value: unknown): SentValue {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? null : sentObject(value)
    case 'symbol':
    case 'function':
      return value.toString()
    default:
      return null
  }
}

function sentObject(value: object): SentValue {
  if (value instanceof Uint8Array) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
  if (Array.isArray(value)) return listText(value)
  const text: string | undefined = JSON.stringify(value)
  return text ?? null
}

/** Formats an array: `{1,NULL,"a,b",{…}}`. */
function listText(items: readonly unknown[]): string {
  let text = ''
  for (const item of items) text += text === '' ? itemText(item) : `,${itemText(item)}`
  return `{${text}}`
}

function itemText(item: unknown): string {
  if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') return String(item)
  if (Array.isArray(item)) return listText(item)
  const text = sentValue(item)
  if (text === null) return 'NULL'
  return quoted(typeof text === 'string' ? text : bytesText(text))
}

const needsEscape = /["\\]/

function quoted(text: string): string {
  return needsEscape.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : `"${text}"`
}

/** Returns bytes in the text form of `bytea`. */
export function bytesText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return String.raw`\x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}`
}
