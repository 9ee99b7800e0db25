/** JSON text of any value: what JSON has no word for is `null`, and a whole number beyond doubles is its digits in quotes. */
export function json(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : (JSON.stringify(value, bigintsAsText) ?? 'null')
    case 'bigint':
      return `"${value}"`
    default:
      return 'null'
  }
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
