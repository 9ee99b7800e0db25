import * as fc from 'fast-check'
import { change, changed, inheritedNames, jsonOf, textOf } from './writes-text.js'
import { attributesOf, pivot } from './writes-values.js'
import { uuid } from './writes-rows.js'

/** Requests to every address of the shop that takes writes. */

export interface Relation {
  readonly toMany: boolean
  readonly types: readonly string[]
  readonly hasPivot?: true
  readonly isRequired?: true
  readonly isReadOnly?: true
}

const one = (...types: readonly string[]): Relation => ({ toMany: false, types })
const many = (...types: readonly string[]): Relation => ({ toMany: true, types })

export const relationsOf: Readonly<Record<string, Readonly<Record<string, Relation>>>> = {
  releases: { artist: one('artists'), shelves: many('shelves') },
  artists: { albums: many('albums'), portrait: one('portraits') },
  portraits: { artist: one('artists') },
  albums: {
    artist: { ...one('artists'), isRequired: true },
    tracks: many('tracks'),
    remasterOf: one('albums'),
    remasters: many('albums'),
  },
  tracks: { album: one('albums'), playlists: many('playlists') },
  playlists: { tracks: { ...many('tracks'), hasPivot: true }, plainTracks: many('tracks') },
  shelves: {
    best: one('albums', 'artists'),
    items: many('tracks', 'albums', 'releases'),
    keeper: { ...one('artists'), isReadOnly: true },
  },
}

const typeNames: readonly string[] = Object.keys(relationsOf)

/** The existing ids, and then ids that might exist. */
const idsOf: Readonly<Record<string, { readonly known: readonly string[]; readonly unknown: readonly string[] }>> = {
  releases: { known: ['first', 'second'], unknown: ['third', '1', 'constructor', 'a/b', 'é', '-actions', ''] },
  artists: { known: ['1', '2', '3'], unknown: ['4', '01', '-1', '1e0', 'x'] },
  portraits: { known: ['1', '2'], unknown: ['9', ' 1'] },
  albums: { known: ['al-1', 'al-2', 'al-14'], unknown: ['al-zz', 'al-01', '1', 'al-', 'AL-1', 'al-zzzzzzz'] },
  tracks: { known: [1, 2, 3, 4].map(uuid), unknown: [uuid(77), uuid(1).replaceAll('-', ''), 'x'] },
  playlists: { known: ['monday', 'tuesday'], unknown: ['friday', 'Monday', 'a b', 'x'] },
  shelves: { known: ['1', '2'], unknown: ['7', 'one', '01'] },
}

const noResources = { known: ['1'], unknown: [] }

function idOf(type: string): fc.Arbitrary<string> {
  const { known, unknown } = Object.hasOwn(idsOf, type) ? (idsOf[type] ?? noResources) : noResources
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...unknown, ...inheritedNames) },
  )
}

function identifier({ types, hasPivot }: Relation): fc.Arbitrary<object> {
  const type = fc.oneof(
    { weight: 25, arbitrary: fc.constantFrom(...types) },
    { weight: 1, arbitrary: fc.constantFrom(...typeNames, 'nobody', '__proto__') },
  )
  return type.chain((name) =>
    fc.record({
      type: fc.constant(name),
      id: idOf(name),
      ...(hasPivot === true ? { meta: fc.record({ pivot }) } : {}),
    }),
  )
}

function linkage(relation: Relation): fc.Arbitrary<unknown> {
  if (relation.toMany) return fc.array(identifier(relation), { maxLength: 5 })
  return fc.option(identifier(relation), { freq: relation.isRequired === true ? 20 : 4 })
}

function relationships(type: string, isNew: boolean): fc.Arbitrary<object> {
  const relations = Object.entries(relationsOf[type] ?? {})
  const required = relations.filter(([, { isRequired }]) => isNew && isRequired === true).map(([name]) => name)
  const members = relations.map(([name, relation]) => [name, fc.record({ data: linkage(relation) })] as const)
  return fc.record(Object.fromEntries(members), { requiredKeys: required })
}

/** The effect of a request, for comparison. */
export interface Request {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly type: string
  /** Of the resource that is written; `null` for a new one. */
  readonly id: string | null
  readonly relation: string | null
  readonly action: string | null
  /** The body as it is sent. */
  readonly raw: string
}

type Address = Omit<Request, 'raw' | 'path'> & { readonly body: fc.Arbitrary<unknown> }

const noBody = fc.constantFrom(undefined, undefined, { data: null }, { meta: {} })

function create(type: string): fc.Arbitrary<Address> {
  const id = fc.oneof(
    { weight: 3, arbitrary: idOf(type) },
    { weight: 5, arbitrary: fc.constantFrom(...(type === 'tracks' ? [uuid(50)] : ['new', 'other'])) },
  )
  const sends = { releases: 2, tracks: 2, playlists: 20 }[type] ?? 0
  const isSent = fc.nat({ max: 20 }).map((luck) => luck < sends || (sends === 2 && luck > 10))
  const body = fc
    .record({ id, isSent, attributes: attributesOf(type, true), relationships: relationships(type, true) })
    .map(({ id: key, isSent: named, ...others }) => ({ data: { type, ...(named ? { id: key } : {}), ...others } }))
  return fc.constant({ method: 'POST', type, id: null, relation: null, action: null, body })
}

function update(type: string): fc.Arbitrary<Address> {
  return idOf(type).map((id) => {
    const members = fc.record(
      { attributes: attributesOf(type, false), relationships: relationships(type, false) },
      { requiredKeys: [] },
    )
    const body = members.map((others) => ({ data: { type, id, ...others } }))
    return { method: 'PATCH', type, id, relation: null, action: null, body }
  })
}

function remove(type: string): fc.Arbitrary<Address> {
  return idOf(type).map((id) => ({ method: 'DELETE', type, id, relation: null, action: null, body: noBody }))
}

function mutate(type: string): fc.Arbitrary<Address> {
  const relation = fc.constantFrom(...Object.keys(relationsOf[type] ?? {}))
  return fc.tuple(idOf(type), relation, fc.constantFrom('PATCH', 'POST', 'DELETE')).map(([id, name, method]) => {
    const ends = relationsOf[type]?.[name] ?? one()
    return { method, type, id, relation: name, action: null, body: fc.record({ data: linkage(ends) }) }
  })
}

const act: fc.Arbitrary<Address> = fc.oneof(
  idOf('releases').map((id): Address => {
    const body = attributesOf('releases', true).map((attributes) => ({ data: { type: 'releases', attributes } }))
    return { method: 'POST', type: 'releases', id, relation: null, action: 'reissue', body }
  }),
  fc.constant<Address>({
    method: 'POST',
    type: 'releases',
    id: null,
    relation: null,
    action: 'announce',
    body: attributesOf('portraits', true).map((attributes) => ({ data: { type: 'portraits', attributes } })),
  }),
)

function pathOf({ type, id, relation, action }: Omit<Address, 'body'>): string {
  const resource = id === null ? `/${type}` : `/${type}/${encodeURIComponent(id)}`
  if (action !== null) return `${resource}/-actions/${action}`
  return relation === null ? resource : `${resource}/relationships/${relation}`
}

/** Every kind of write on every type; mostly such as could succeed, or fail by a hair. */
const address: fc.Arbitrary<Address> = fc
  .constantFrom('releases', 'releases', ...typeNames)
  .chain((type) =>
    fc.oneof(
      { weight: 5, arbitrary: create(type) },
      { weight: 5, arbitrary: update(type) },
      { weight: 1, arbitrary: remove(type) },
      { weight: 4, arbitrary: mutate(type) },
      { weight: 1, arbitrary: act },
    ),
  )

/** @param most how many changes of the text are made at most */
export function anyRequest(most: number): fc.Arbitrary<Request> {
  return address.chain(({ body, ...where }) =>
    fc.tuple(body, fc.array(change, { maxLength: most })).map(([document, changes]) => {
      const raw = document === undefined ? '' : textOf(changed(jsonOf(document), changes))
      return { ...where, path: pathOf(where), raw }
    }),
  )
}
