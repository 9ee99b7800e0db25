import * as fc from 'fast-check'
import { idsOf, links, type Reference, type Shop } from './writes-model.js'
import type { Linkage, Mode, Write } from './writes-rules.js'
import { uuid } from './writes-rows.js'

/** Writes that are generated while the shop changes: their targets are chosen among the existing resources. */

interface Mention {
  readonly how: 'known' | 'unknown' | 'malformed' | 'strange'
  readonly type: number
  readonly id: number
  readonly pivot: Readonly<Record<string, unknown>> | null
}

/** A write, before its target is known. */
export interface Command {
  readonly kind: Write['kind']
  readonly type: string
  readonly target: number
  /** An id from the client, for a new resource. */
  readonly name: 'none' | 'fresh' | 'taken' | 'malformed'
  readonly values: Readonly<Record<string, unknown>>
  readonly relations: readonly {
    readonly at: number
    readonly members: readonly Mention[]
    readonly isMisshapen: boolean
  }[]
  readonly mode: Mode
}

const luck = <Value>(usual: Value, weight: number, ...others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary: fc.constant(arbitrary) })),
  )

const mention: fc.Arbitrary<Mention> = fc.record({
  how: luck<Mention['how']>('known', 30, 'unknown', 'malformed', 'strange'),
  type: fc.nat({ max: 5 }),
  id: fc.nat({ max: 50 }),
  pivot: fc.oneof(
    { weight: 6, arbitrary: fc.record({ position: fc.integer({ min: 1, max: 5 }), note: fc.constantFrom('x', null) }, { requiredKeys: ['position'] }) },
    { weight: 1, arbitrary: fc.constantFrom(null, {}, { position: 0 }, { note: 'x' }) },
  ),
}) // biome-ignore format: a weight a line

const titles = fc.constantFrom('a', 'b', 'c', 'd', 'top', 'locked', 'refused', '')

export const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'update', 'relate', 'relate', 'relate', 'delete'),
  type: fc.constantFrom(...Object.keys(links)),
  target: fc.nat({ max: 100 }),
  name: luck<Command['name']>('none', 20, 'fresh', 'taken', 'malformed'),
  values: fc.record(
    {
      title: titles,
      name: fc.constantFrom('Radiohead', 'Tricky', 'Massive Attack', 'Air', 'Lamb', ''),
      year: fc.constantFrom(1997, 2000, null, 1859),
      code: fc.constantFrom('A-1', 'A-2', 'A-3', null),
    },
    { requiredKeys: [] },
  ),
  relations: fc.array(
    fc.record({ at: fc.nat({ max: 11 }), members: fc.array(mention, { maxLength: 5 }), isMisshapen: luck(false, 40, true) }),
    { minLength: 1, maxLength: 3 },
  ),
  mode: fc.constantFrom('replace', 'add', 'remove'),
}) // biome-ignore format: a member a line

const unknownIds: Readonly<Record<string, string>> = {
  albums: 'al-zz',
  tracks: uuid(77),
  playlists: 'nobody',
  releases: 'nothing',
}
const malformedIds: Readonly<Record<string, string>> = { tracks: 'x', playlists: 'A b', shelves: 'one' }
const missing = (type: string): string => unknownIds[type] ?? '99'

function chosen<Value>(values: readonly Value[], at: number): Value | undefined {
  return values[at % values.length]
}

function idAt(shop: Shop, type: string, at: number): string {
  return (at % 25 === 24 ? undefined : chosen(idsOf(shop, type), at)) ?? missing(type)
}

function reference(shop: Shop, types: readonly string[], { how, type: at, id, pivot }: Mention): Reference {
  const type = chosen(how === 'strange' ? Object.keys(links) : types, at) ?? ''
  const key =
    how === 'unknown'
      ? missing(type)
      : how === 'malformed'
        ? (malformedIds[type] ?? missing(type))
        : idAt(shop, type, id)
  return { type, id: key, ...(pivot === null ? {} : { pivot }) }
}

function linkageOf(
  shop: Shop,
  type: string,
  relation: string,
  { members, isMisshapen }: Command['relations'][number],
): Linkage {
  const link = links[type]?.[relation]
  const hasPivot = type === 'playlists' && relation === 'tracks'
  const list = members.map((each) => reference(shop, link?.types ?? [], hasPivot ? each : { ...each, pivot: null }))
  return link?.toMany === isMisshapen ? (list[0] ?? null) : list
}

/** Relations that are stored in the same rows are not sent together. */
const twins: Readonly<Record<string, string>> = { plainTracks: 'tracks', remasters: 'remasterOf' }

function linkages(shop: Shop, { type, relations, kind, target }: Command): Readonly<Record<string, Linkage>> {
  const names = Object.keys(links[type] ?? {})
  const named = relations.map((each) => [chosen(names, each.at) ?? '', each] as const)
  const sent = named.filter(([name]) => !named.some(([other]) => twins[name] === other))
  const isOwned = kind === 'create' && type === 'albums' && target % 10 > 0
  const artist = { type: 'artists', id: idAt(shop, 'artists', target) }
  return {
    ...(isOwned ? { artist } : {}),
    ...Object.fromEntries(sent.map(([name, each]) => [name, linkageOf(shop, type, name, each)])),
  }
}

const known: Readonly<Record<string, readonly string[]>> = {
  artists: ['name'],
  albums: ['title', 'year'],
  releases: ['title', 'code'],
}

function valuesOf({ type, values, kind, target }: Command): Readonly<Record<string, unknown>> {
  const names = known[type] ?? ['title']
  const sent = Object.entries(values).filter(([name]) => names.includes(name))
  const isNamed = kind === 'create' && target % 10 > 0
  return { ...(isNamed ? { [names[0] ?? '']: `Something ${target}` } : {}), ...Object.fromEntries(sent) }
}

/** @param turn makes new ids: a deleted resource is not created again, or its links would be valid again */
export function writeOf(shop: Shop, given: Command, turn: number): Write {
  const { kind, type, target, mode, relations } = given
  const id = idAt(shop, type, target)
  const document = { type, values: valuesOf(given), linkage: linkages(shop, given) }
  switch (kind) {
    case 'create':
      return { kind, ...document, id: newId(shop, given, turn) }
    case 'update':
      return { kind, ...document, id }
    case 'delete':
      return { kind, type, id }
    case 'relate': {
      const [first] = relations
      const relation = chosen(Object.keys(links[type] ?? {}), first?.at ?? 0) ?? ''
      const linkage = first === undefined ? [] : linkageOf(shop, type, relation, first)
      return { kind, type, id, relation, mode, linkage }
    }
  }
}

function newId(shop: Shop, { type, name, target }: Command, turn: number): string | null {
  const fresh = type === 'tracks' ? uuid(100 + turn) : `new-${'abcdefghijklmno'.charAt(turn)}`
  switch (name) {
    case 'none':
      return type === 'playlists' && target % 10 > 0 ? fresh : null
    case 'fresh':
      return fresh
    case 'taken':
      return chosen(idsOf(shop, type), target) ?? fresh
    case 'malformed':
      return malformedIds[type] ?? fresh
  }
}
