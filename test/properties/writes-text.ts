import * as fc from 'fast-check'

/** JSON as it is written: with duplicate members, numbers beyond doubles, and invalid JSON. */
export type Json =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Json[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }

type Member = readonly [name: string, value: Json]

export function jsonOf(value: unknown): Json {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(jsonOf) }
  if (typeof value !== 'object' || value === null) return { kind: 'text', text: JSON.stringify(value) ?? 'null' }
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => [name, jsonOf(member)]) }
}

export function textOf(json: Json): string {
  switch (json.kind) {
    case 'text':
      return json.text
    case 'list':
      return `[${json.items.map(textOf).join(',')}]`
    case 'object':
      return `{${json.members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join(',')}}`
  }
}

/** Names that mean something to every object. */
export const inheritedNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then']

const names = fc.oneof(
  fc.constantFrom(...inheritedNames),
  fc.constantFrom(
    'type', 'id', 'lid', 'meta', 'pivot', 'data', 'links', 'attributes', 'relationships', 'errors', 'included', 'format', '0', '', 'a/b~c',
    '\ud800', '\u0000', 'title', 'code', 'tracks', 'artist', 'revision', 'keeper',
  ),
) // biome-ignore format: a list

const pollution = '{"polluted":1}'

/** Unusual values that are valid JSON. */
const oddities = fc.constantFrom(
  'null', 'true', 'false', '0', '-0', '1', '1.0', '1e2', '1.5', '-1', '1e-320', '5e-324', '1e308', '9007199254740991', '9007199254740993',
  '-9007199254740993', '1e21', '[]', '{}', '[null]', '[[]]', '[{}]', '""', '" "', '"0"', '"1"', '"false"', '"null"', '"__proto__"',
  '"constructor"', '"\\ud800"', '"\\udc00x"', '"\\u0000"', '"a\\u0000b"', '"\\u2028"', '"</script>"', '"\u202e"', '"😀"',
  '"2026-02-30"', '"2026-01-31T25:00:00Z"', '"2026-01-31T12:30:00+99:99"', '"12:60"', '"-000001-01-01T00:00:00Z"', '"first"', '"al-1"',
  `"${'x'.repeat(5000)}"`, `{"__proto__":${pollution}}`, `{"constructor":{"prototype":${pollution}}}`, `{"toString":${pollution},"then":1}`,
  `{"type":"artists","id":"1","__proto__":${pollution}}`, '{"type":"__proto__","id":"1"}', '{"type":"artists","id":"__proto__"}',
  '{"type":"artists","lid":"x"}', '{"type":"artists"}', '{"id":"1"}', '{"data":null}', '{"data":[]}', '{"data":{"type":"artists","id":"1"}}',
  `${'['.repeat(20)}${']'.repeat(20)}`,
) // biome-ignore format: a list

/** Texts that are refused before their meaning is checked. */
const unreadable = fc.constantFrom(
  '1e400', '-1e400', 'NaN', '01', '+1', '.5', "'x'", 'undefined', '', '"\n"', '"\\x"', '{"a":1,}', '[1,]', '{a:1}',
  `${'['.repeat(70)}${']'.repeat(70)}`, `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
) // biome-ignore format: a list

const oddJson: fc.Arbitrary<Json> = fc
  .oneof(
    { weight: 8, arbitrary: oddities },
    { weight: 2, arbitrary: fc.json({ maxDepth: 2 }) },
    { weight: 1, arbitrary: unreadable },
  )
  .map((text): Json => ({ kind: 'text', text }))

/** A change of a text: its effect on a value, and on the members of an object, or the items of a list, around it. */
interface Change {
  /** The index of the value; modulo the number of values. */
  readonly at: number
  readonly kind: 'replace' | 'drop' | 'before' | 'after' | 'add' | 'rename' | 'wrap' | 'enclose' | 'twice'
  readonly name: string
  readonly value: Json
}

export const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 200 }),
  kind: fc.constantFrom('replace', 'replace', 'drop', 'before', 'after', 'add', 'add', 'rename', 'wrap', 'enclose', 'twice'),
  name: names,
  value: oddJson,
}) // biome-ignore format: a list

export function changed(json: Json, changes: readonly Change[]): Json {
  return changes.reduce((whole, each) => applied(whole, each), json)
}

function sizeOf(json: Json): number {
  switch (json.kind) {
    case 'text':
      return 1
    case 'list':
      return json.items.reduce((size, item) => size + sizeOf(item), 1)
    case 'object':
      return json.members.reduce((size, [, member]) => size + sizeOf(member), 1)
  }
}

/** Every value is a member of something, the whole too. */
function applied(whole: Json, { at, ...how }: Change): Json {
  let left = at % sizeOf(whole)
  const visit = ([name, json]: Member): readonly Member[] => {
    const isMeant = left === 0
    left -= 1
    if (isMeant) return altered([name, json], how)
    if (json.kind === 'text') return [[name, json]]
    const members: readonly Member[] =
      json.kind === 'list' ? json.items.map((item): Member => ['', item]) : json.members
    const visited = members.flatMap(visit)
    if (json.kind === 'object') return [[name, { kind: 'object', members: visited }]]
    return [[name, { kind: 'list', items: visited.map(([, item]) => item) }]]
  }
  return visit(['', whole])[0]?.[1] ?? { kind: 'text', text: '' }
}

function altered([name, json]: Member, { kind, name: other, value }: Omit<Change, 'at'>): readonly Member[] {
  switch (kind) {
    case 'replace':
      return [[name, value]]
    case 'drop':
      return []
    case 'before':
      return [[name, value], [name, json]] // biome-ignore format: in their order
    case 'after':
      return [[name, json], [name, value]] // biome-ignore format: in their order
    case 'add':
      if (json.kind === 'object') return [[name, { kind: 'object', members: [...json.members, [other, value]] }]]
      if (json.kind === 'list') return [[name, { kind: 'list', items: [...json.items, value] }]]
      return [[name, json], [other, value]] // biome-ignore format: in their order
    case 'rename':
      return [[other, json]]
    case 'wrap':
      return [[name, { kind: 'list', items: [json] }]]
    case 'enclose':
      return [[name, { kind: 'object', members: [[other, json]] }]]
    case 'twice':
      return [[name, json], [name, json]] // biome-ignore format: in their order
  }
}
