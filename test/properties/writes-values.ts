import * as fc from 'fast-check'
import { anyText } from '../support/any-text.js'

/** Values for the attributes of the shop: such as they should be, and such as nearly are. */

type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>

const word = fc.constantFrom('a', 'Kid A', 'é', '😀', '__proto__', 'constructor', 'x y', '0', 'null')
const dateTimes = fc.constantFrom(
  '2026-01-31T12:30:00Z', '2026-01-31t12:30z', '2026-01-31T12:30', '2026-01-31T23:30:15.5-05:30', '2026-01-31T12:30:00,123456+0200',
  '1969-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2024-02-29T00:00:00+14:00',
) // biome-ignore format: a list
const dates = fc.constantFrom('2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31')
const times = fc.constantFrom('20:00', '00:00:00', '23:59:59', '12:30:15.25', '12:30:15,5')
const names = fc.oneof(word, fc.constantFrom('toString', 'hasOwnProperty', 'a/b~c', ''))
const open = fc.dictionary(names, fc.oneof(word, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 3, noNullPrototype: true })

/** Some of the members, with the required ones; now and then none. */
function members(values: Values, required: readonly string[] = []): fc.Arbitrary<object> {
  return fc
    .tuple(fc.record({ ...values }, { requiredKeys: [...required] }), fc.nat({ max: 30 }))
    .map(([all, luck]) => (luck === 0 ? {} : all))
}

const orNull = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.option(value, { freq: 6 })

const dimensions = members(
  {
    width: fc.constantFrom(1, 30, 12.0, Number.MAX_SAFE_INTEGER),
    sleeve: orNull(members({ colour: word, printedOn: orNull(dates) }, ['colour'])),
    notes: orNull(fc.array(word, { maxLength: 3 })),
    depth: fc.constant(3),
  },
  ['width'],
)

const medium = fc.oneof(
  members({ format: fc.constant('vinyl'), speed: fc.constantFrom(33, 45, 78), cutAt: orNull(dateTimes) }, ['format', 'speed']),
  members({ format: fc.constant('download'), bitrate: fc.constantFrom(96, 320), extra: orNull(open) }, ['format', 'bitrate']),
) // biome-ignore format: a variant a line

const releaseValues: Values = {
  title: fc.oneof(word, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })),
  code: orNull(fc.oneof(fc.constantFrom('A-1', 'A-2', 'A-3'), anyText({ maxLength: 5 }))),
  contact: orNull(fc.constantFrom('a@b.example', 'A.B+c@music.example')),
  website: orNull(fc.constantFrom('https://music.example/a?b#c', 'http://x.example', 'urn:isbn:1')),
  barcode: orNull(fc.uuid()),
  slug: orNull(fc.constantFrom('a', 'kid-a', '2-0')),
  origin: orNull(fc.constantFrom('127.0.0.1', '::1', '2001:db8::1')),
  discs: orNull(fc.constantFrom(0, -0, 1, -5, 1e3, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER)),
  // Not all drivers of SQLite can be given numbers that are nearer to zero.
  price: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((price) => price <= 0 || price > 1e-15)),
  explicit: orNull(fc.boolean()),
  announcedAt: orNull(dateTimes),
  releasedOn: orNull(dates),
  doorsAt: orNull(times),
  genres: orNull(fc.array(word, { maxLength: 3 })),
  chart: orNull(fc.array(fc.integer(), { maxLength: 3 })),
  extras: orNull(open),
  imprint: fc.oneof(
    members({ label: orNull(word), place: orNull(members({ city: orNull(word) })) }),
    fc.constant(null),
  ),
  dimensions: orNull(dimensions),
  medium: orNull(medium),
  secret: orNull(word),
  revision: fc.constant(99),
}

const pivotValues: Values = {
  position: fc.constantFrom(1, 2, 7),
  note: orNull(word),
  cue: orNull(members({ at: times, tags: orNull(fc.array(word, { maxLength: 2 })) }, ['at'])),
  addedBy: fc.constant('mallory'),
}

const title = fc.oneof(word, fc.constantFrom('refused', 'locked', 'top'))

/** By the type. */
const valuesOf: Readonly<Record<string, { readonly values: Values; readonly required: readonly string[] }>> = {
  releases: { values: releaseValues, required: ['title'] },
  artists: { values: { name: fc.constantFrom('Radiohead', 'Tricky', 'Massive Attack'), country: orNull(fc.constantFrom('gb', 'is')) }, required: ['name'] },
  portraits: { values: { title }, required: ['title'] },
  albums: { values: { title, year: orNull(fc.constantFrom(1860, 1997, 2100)), artistName: fc.constantFrom('Radiohead', 'Tricky', null) }, required: ['title'] },
  tracks: { values: { title }, required: ['title'] },
  playlists: { values: { title }, required: ['title'] },
  shelves: { values: { title }, required: ['title'] },
} // biome-ignore format: a type a line

export function attributesOf(type: string, isNew: boolean): fc.Arbitrary<object> {
  const { values = {}, required = [] } = valuesOf[type] ?? {}
  return members(values, isNew ? required : [])
}

export const pivot: fc.Arbitrary<object> = members(pivotValues, ['position'])
