/** Beyond this many characters, a reader no longer sees where two values differ. */
const readable = 80
const mostShown = 10

/** Throws unless two values are the same JSON; the message has both, and the places where long ones differ. */
export function expectSame(what: string, came: unknown, expected: unknown): void {
  const places = differences(plain(came), plain(expected), '')
  if (places.length === 0) return
  const texts = [text(expected), text(came)] as const
  const isLong = texts.some(({ length }) => length > readable)
  const shown = isLong ? places.slice(0, mostShown).map((place) => `  at ${place}`) : []
  const left = isLong && places.length > mostShown ? [`  and ${places.length - mostShown} more`] : []
  throw new Error([`${what}:`, `  expected: ${texts[0]}`, `  came:     ${texts[1]}`, ...shown, ...left].join('\n'))
}

/** As JSON has it, so that a `Date` is its text, and what is left out is not there. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(json(value)) as unknown)
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : json(value)
}

/** Stores may have keys of more digits than numbers have, of which JSON knows nothing: a `bigint` is the number that it is. */
function json(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    if (typeof each !== 'bigint') return each
    return Number.isSafeInteger(Number(each)) ? Number(each) : String(each)
  })
}

/** The order of members means nothing, that of items does. */
function differences(came: unknown, expected: unknown, place: string): readonly string[] {
  if (!isComposite(came) || !isComposite(expected) || Array.isArray(came) !== Array.isArray(expected)) {
    return Object.is(came, expected) ? [] : [`${place}: expected ${text(expected)}, came ${text(came)}`]
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(came)])
  return [...names].flatMap((name) => differences(came[name], expected[name], `${place}/${name}`))
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
