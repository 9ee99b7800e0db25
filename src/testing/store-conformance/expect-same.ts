const mostShown = 10

/** Throws unless two values are the same JSON; the message has both, and the places where they differ. */
export function expectSame(what: string, came: unknown, expected: unknown): void {
  const places = differences(plain(came), plain(expected), '')
  if (places.length === 0) return
  const shown = places.slice(0, mostShown).map((place) => `  ${place}`)
  const left = places.length - shown.length
  const lines = [`${what}:`, `  expected: ${text(expected)}`, `  came:     ${text(came)}`]
  throw new Error(
    [
      ...lines,
      ...(shown[0] === `  ${whole(came, expected)}` ? [] : shown),
      ...(left > 0 ? [`  and ${left} more`] : []),
    ].join('\n'),
  )
}

/** As JSON has it, so that a `Date` is its text, and what is left out is not there. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function whole(came: unknown, expected: unknown): string {
  return described('', plain(came), plain(expected))
}

function described(place: string, came: unknown, expected: unknown): string {
  return `${place === '' ? '(all of it)' : place}: expected ${text(expected)}, came ${text(came)}`
}

/** The order of members means nothing, that of items does. */
function differences(came: unknown, expected: unknown, place: string): readonly string[] {
  if (!isComposite(came) || !isComposite(expected) || Array.isArray(came) !== Array.isArray(expected)) {
    return Object.is(came, expected) ? [] : [described(place, came, expected)]
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(came)])
  return [...names].flatMap((name) => differences(came[name], expected[name], `${place}/${name}`))
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
