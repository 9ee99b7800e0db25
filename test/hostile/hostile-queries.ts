import { defaultProfiles } from 'ashlar'
import * as fc from 'fast-check'
import { cursorWith, levelsOf } from '../support/cursor-content.js'

/** Malformed and hostile query strings, among some valid ones. */

/** Any text: every UTF-16 unit, halves of surrogate pairs included. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  maxLength: 12,
})

const spice = fc.constantFrom(
  '%', '%00', '%ff', '%2F', '%5B', '%5D', '%u0041', '..', '.', '/', '?', '#', '[', ']', '[]', '&', '=', ';', ',', '-', '+', ' ',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'null', 'undefined', 'true', 'NaN', 'Infinity', '-0',
  '1e400', '9007199254740993', '-1', '0', '1', '0.1', '99999999999999999999', '\u0000', '\ud800', '\r\n', 'é', '😀', '\u202e',
  "'", '"', '\\', '`', '$', '{param}', '%s', '*', '(', ')', '|', "' OR 1=1 --", '1997-02-30', '0000-00-00', '+275760-09-13',
  '9999-12-31T23:59:59.999Z', '24:00:00', '_self_', 'min', 'max', 'kind', 'size', 'id', 'title',
) // biome-ignore format: a list

const hostileText = fc.array(fc.oneof(spice, spice, anyText), { maxLength: 4 }).map((parts) => parts.join(''))

const tokenValue = fc.oneof(
  hostileText,
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('1997-05-21', '1997-05-21T10:00:00Z', '275760-09-13', 'x').map((text) => ({ d: text })),
  fc.constantFrom('1', '9'.repeat(40), '-0', 'x').map((text) => ({ n: text })),
  fc.jsonValue({ maxDepth: 1 }),
)

const encoded = (content: unknown): string => cursorWith(JSON.stringify(content))

/** Tokens that no server makes: with other values, or no tokens at all. */
function tokenOf(order: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    hostileText,
    fc.jsonValue({ maxDepth: 2 }).map(encoded),
    fc.array(tokenValue, { minLength: order.length, maxLength: order.length }).map((place) => encoded([order, place])),
  )
}

/** The names of an endpoint, from which the plausible part of a query is made. */
export interface Vocabulary {
  readonly types: readonly string[]
  readonly members: readonly string[]
  readonly paths: readonly string[]
  readonly sorts: readonly string[]
  readonly filters: readonly string[]
}

type Pair = readonly [name: string, value: string]

function listed(words: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...words), { maxLength: 2 }).map((some) => some.join(','))
}

/** Names and values that the endpoint may know. */
function plausiblePair({ types, members, paths, sorts, filters }: Vocabulary): fc.Arbitrary<Pair> {
  const directed = sorts.flatMap((sort) => [sort, `-${sort}`])
  const value = fc.oneof(
    fc.constantFrom('1', 'a', 'true', '', '1997-05-21', 'Kid A', '1,2', '4.5', '1997-05-21T10:00:00Z', '10:00:00'),
    hostileText,
  )
  const shape = fc.constantFrom('', '', '', '[]', '[min]', '[max]', '[a][b]', '[min][]')
  const page = fc.constantFrom('size', 'number', 'offset', 'limit', 'kind', 'after', 'before')
  const number = fc.constantFrom('0', '1', '2', '-1', '999999999999', '1.5', 'cursor', 'offset', 'page')
  const filter = fc.tuple(fc.constantFrom(...filters), shape, value)
  const related = fc.tuple(fc.constantFrom('relatedQuery', 'rQ'), fc.constantFrom(...paths))
  return fc.oneof(
    fc.tuple(fc.constantFrom(...types), listed(members)).map(([type, names]): Pair => [`fields[${type}]`, names]),
    listed(paths).map((names): Pair => ['include', names]),
    listed(directed).map((names): Pair => ['sort', names]),
    filter.map(([key, form, text]): Pair => [`filter[${key}]${form}`, text]),
    filter.map(([key, form, text]): Pair => [`filter[${key}]${form}`, text]),
    fc
      .tuple(
        page,
        fc.oneof(
          number,
          fc.constantFrom(...types).chain((type) => tokenOf(levelsOf(type, ['id']))),
        ),
      )
      .map(([key, text]): Pair => [`page[${key}]`, text]),
    listed(['_self_', ...paths]).map((names): Pair => ['withCount', names]),
    fc.tuple(related, listed(directed)).map(([[name, path], names]): Pair => [`${name}[${path}][sort]`, names]),
    fc
      .tuple(related, filter)
      .map(([[name, path], [key, form, text]]): Pair => [`${name}[${path}][filter][${key}]${form}`, text]),
  )
}

const family = fc.constantFrom(
  'fields',
  'include',
  'sort',
  'filter',
  'page',
  'withCount',
  'relatedQuery',
  'rQ',
  'profile',
)
const brackets = fc.array(
  hostileText.map((text) => `[${text}]`),
  { maxLength: 3 },
)

/** Unknown names and values, or partly unknown ones. */
const hostilePair: fc.Arbitrary<Pair> = fc
  .tuple(fc.oneof(family, family, hostileText), brackets, fc.oneof(hostileText, tokenOf(['title', 'id'])))
  .map(([name, keys, value]) => [`${name}${keys.join('')}`, value])

/** A position in an order that is requested in the same query. */
function walk({ sorts, types }: Vocabulary): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...sorts.flatMap((sort) => [sort, `-${sort}`])), { maxLength: 2 }).chain((order) => {
    const last = order.at(-1)?.startsWith('-') === true ? '-id' : 'id'
    const side = fc.constantFrom('after', 'before')
    return fc
      .array(
        fc.constantFrom(...types).chain((type) => fc.tuple(side, tokenOf(levelsOf(type, [...order, last])))),
        { minLength: 1, maxLength: 2 },
      )
      .map((places) => [`sort=${order.join(',')}`, ...places.map(([key, text]) => `page[${key}]=${text}`)].join('&'))
  })
}

/** Percent-encoded as a client should, or not. */
function written([name, value]: Pair, escaped: boolean): string {
  if (!escaped) return `${name}=${value}`
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
}

/** A whole query: mostly valid pairs, each of them perhaps broken, and sometimes no pairs. */
export function anyQuery(vocabulary: Vocabulary): fc.Arbitrary<string> {
  const plausible = fc.tuple(plausiblePair(vocabulary), fc.boolean()).map(([pair, escaped]) => written(pair, escaped))
  const hostile = fc.tuple(hostilePair, fc.boolean()).map(([pair, escaped]) => written(pair, escaped))
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(plausible, { minLength: 1, maxLength: 2 }).map((pairs) => pairs.join('&')) },
    {
      weight: 3,
      arbitrary: fc.array(fc.oneof(plausible, hostile), { maxLength: 4 }).map((pairs) => pairs.join('&')),
    },
    { weight: 2, arbitrary: walk(vocabulary) },
    { weight: 1, arbitrary: fc.oneof(hostileText, anyText) },
  )
}

/** `Accept` with some of the profiles. */
export const anyAccept: fc.Arbitrary<string> = fc
  .subarray(defaultProfiles.map(({ uri }) => uri))
  .map((uris) => `application/vnd.api+json${uris.length === 0 ? '' : `; profile="${uris.join(' ')}"`}`)
