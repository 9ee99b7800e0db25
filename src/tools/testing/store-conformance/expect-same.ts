/** If a value is longer than this, the message lists the differences. */
const maxReadableLength = 80
const maxDifferences = 10

/** Throws unless two values are the same JSON. The message has both values, and the differences if a value is long. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const found = differences(plain(actual), plain(expected), '')
  if (found.length === 0) return
  const texts = [text(expected), text(actual)] as const
  const isLong = texts.some(({ length }) => length > maxReadableLength)
  const listed = isLong ? found.slice(0, maxDifferences).map((difference) => `  at ${difference}`) : []
  const rest = isLong && found.length > maxDifferences ? [`  and ${found.length - maxDifferences} more`] : []
  throw new Error([`${what}:`, `  expected: ${texts[0]}`, `  actual:   ${texts[1]}`, ...listed, ...rest].join('\n'))
}

/** Converts a value to plain JSON: a `Date` becomes its text, and `undefined` members are removed. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(json(value)) as unknown)
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : json(value)
}

/** JSON has no `bigint`, which stores may use for keys: it becomes a number, or a string if it is too large for one. */
function json(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    if (typeof each !== 'bigint') return each
    return Number.isSafeInteger(Number(each)) ? Number(each) : String(each)
  })
}

/** Compares two values. The order of members of an object does not matter, the order of items of an array does. */
function differences(actual: unknown, expected: unknown, path: string): readonly string[] {
  if (!isComposite(actual) || !isComposite(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return Object.is(actual, expected) ? [] : [`${path}: expected ${text(expected)}, actual ${text(actual)}`]
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].flatMap((name) => differences(actual[name], expected[name], `${path}/${name}`))
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
