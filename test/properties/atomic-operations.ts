import type { Mention, Step } from './atomic-steps.js'
import { seeded } from './atomic-world.js'
import { uuid } from './writes-rows.js'

export interface Identifier {
  readonly type: string
  readonly id?: string
  readonly lid?: string
  readonly meta?: object
}

export type Linkage = Identifier | null | readonly Identifier[]

export interface ResourceData extends Identifier {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, { readonly data: Linkage }>>
}

/** An operation in the form of a batch. */
export interface Sent {
  readonly op: 'add' | 'update' | 'remove'
  readonly ref?: object
  readonly href?: string
  readonly data?: ResourceData | Linkage
}

/** An operation, with its target, which is needed to send it as a separate request. */
export interface Planned {
  readonly sent: Sent
  readonly type: string
  /** `null` for a collection. */
  readonly resource: Identifier | null
  readonly relationship: string | null
}

interface Relation {
  readonly types: readonly string[]
  readonly toMany?: true
  readonly hasPivot?: true
  /** Whether the resource's own row holds the key. */
  readonly isOwn?: true
}

export const relations: Readonly<Record<string, Readonly<Record<string, Relation>>>> = {
  labels: { artists: { types: ['artists'], toMany: true } },
  portraits: { artist: { types: ['artists'], isOwn: true } },
  tracks: { album: { types: ['albums'], isOwn: true }, playlists: { types: ['playlists'], toMany: true } },
  artists: {
    label: { types: ['labels'], isOwn: true },
    albums: { types: ['albums'], toMany: true },
    portrait: { types: ['portraits'] },
  },
  albums: {
    artist: { types: ['artists'], isOwn: true },
    tracks: { types: ['tracks'], toMany: true },
    remasterOf: { types: ['albums'], isOwn: true },
    remasters: { types: ['albums'], toMany: true },
  },
  playlists: {
    tracks: { types: ['tracks'], toMany: true, hasPivot: true },
    dedicatedTo: { types: ['artists', 'albums'], isOwn: true },
  },
}

const types = Object.keys(relations)
/** Types whose rows can be written together. */
const plain = ['labels', 'portraits', 'tracks']

/** A resource that exists at some position of a batch. */
interface Known {
  readonly type: string
  readonly id: string | null
  readonly lid: string | null
  readonly isAdded: boolean
  isGone: boolean
}

/** Operations whose targets exist, as far as the batch itself shows. */
export function operationsOf(steps: readonly Step[]): readonly Planned[] {
  const known = Object.entries(seeded).flatMap(([type, ids]) =>
    ids.map((id): Known => ({ type, id, lid: null, isAdded: false, isGone: false })),
  )
  return steps.flatMap((step) => operationsIn(step, known))
}

function operationsIn(step: Step, known: Known[]): readonly Planned[] {
  const type = typeOf(step, known)
  switch (step.kind) {
    case 'add':
      return [addition(step, type, { known, turn: 0 })]
    case 'run':
      return Array.from({ length: step.count }, (_, turn) => addition(step, type, { known, turn }))
    case 'update':
      return update(step, type, known)
    case 'remove':
      return removal(step, type, known)
    case 'relate':
      return relate(step, type, known)
  }
}

/** Linked types are added more often, and added resources are changed more often: otherwise few operations would refer to them. */
function typeOf({ kind, type, target }: Step, known: readonly Known[]): string {
  if (kind === 'run') return chosen(plain, type)
  if (kind === 'add') return chosen([...types, 'artists', 'albums', 'playlists'], type)
  const added = known.filter(isNamed)
  return target.isLocal && added.length > 0
    ? chosen([...new Set(added.map((each) => each.type))], type)
    : chosen(types, type)
}

function isNamed({ isAdded, isGone, lid }: Known): boolean {
  return isAdded && !isGone && lid !== null
}

interface Place {
  readonly known: Known[]
  /** Of a run. */
  readonly turn: number
}

function addition(step: Step, type: string, { known, turn }: Place): Planned {
  const number = known.length
  const id = newId(step, type, number)
  const lid = step.hasLid && turn % 3 < 2 ? `new-${known.filter((each) => each.type === type).length}` : null
  const attributes = { [type === 'labels' || type === 'artists' ? 'name' : 'title']: `New ${number}` }
  const linked = linkages(step, type, { known, turn })
  const artist = reference(['artists'], step.target, known)
  const relationships = type === 'albums' && artist !== null ? { artist: { data: artist }, ...linked } : linked
  const data: ResourceData = {
    type,
    ...(id === null ? {} : { id }),
    ...(lid === null ? {} : { lid }),
    attributes: { ...attributes, ...valuesOf(step, type, number) },
    relationships,
  }
  known.push({ type, id, lid, isAdded: true, isGone: false })
  const href = step.by % 3 === 0 ? { href: address(`/${type}`, step.by + turn) } : {}
  return { sent: { op: 'add', ...href, data }, type, resource: null, relationship: null }
}

function newId({ hasId, count }: Step, type: string, number: number): string | null {
  if (type === 'playlists')
    return `p-${String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`
  // Of a run, all bring an id, or every third.
  return type === 'tracks' && hasId && (count % 2 === 0 || number % 3 === 0) ? uuid(100 + number) : null
}

function valuesOf({ values, by }: Step, type: string, number: number): Readonly<Record<string, unknown>> {
  const { city, seconds, year } = values
  const given = { labels: { city }, tracks: { seconds, ...(by % 2 === 0 ? { code: `C-${number}` } : {}) }, albums: { year } }
  const sent = Object.entries(given[type as keyof typeof given] ?? {})
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined))
} // biome-ignore format: a type after the other

function linkages(step: Step, type: string, { known, turn }: Place): ResourceData['relationships'] {
  const isOne = step.kind !== 'run'
  const names = Object.entries(relations[type] ?? {}).filter(([, { isOwn }]) => isOne || isOwn === true)
  const picked = names.filter(([name], index) => {
    const isWanted = step.relations.some(({ at }) => at % 4 === index)
    // Some operations of a run leave it out. Required members of an album are always sent.
    return isWanted && turn % 4 < 3 && !(type === 'albums' && name === 'artist')
  })
  const { members } = step.relations[0] ?? { members: [] }
  return Object.fromEntries(
    picked.map(([name, relation]) => [name, { data: linkage(relation, turned(members, turn), known) }]),
  )
}

function turned(members: readonly Mention[], turn: number): readonly Mention[] {
  return members.map((each) => ({ ...each, at: each.at + turn }))
}

function linkage(relation: Relation, members: readonly Mention[], known: readonly Known[]): Linkage {
  const list = members.flatMap((each) => {
    const member = reference(relation.types, each, known)
    const pivot = relation.hasPivot === true ? { meta: { pivot: { position: each.position } } } : {}
    return member === null ? [] : [{ ...member, ...pivot }]
  })
  return relation.toMany === true ? list : (list[0] ?? null)
}

function update(step: Step, type: string, known: readonly Known[]): readonly Planned[] {
  const resource = found([type], step.target, known)
  if (resource === null) return []
  const named = nameOf(resource, step.target.byLid)
  const attributes = valuesOf(step, type, known.length)
  const title = type === 'labels' || type === 'artists' ? {} : { title: `Other ${known.length}` }
  const data = { ...named, attributes: { ...title, ...attributes }, relationships: linkages(step, type, { known: [...known], turn: 0 }) } // biome-ignore format: a document
  const target = step.by % 3 === 0 ? {} : addressed(resource, step, null)
  return [{ sent: { op: 'update', ...target, data }, type, resource: named, relationship: null }]
}

function removal(step: Step, type: string, known: readonly Known[]): readonly Planned[] {
  const resource = found([type], step.target, known)
  if (resource === null) return []
  resource.isGone = true
  const named = nameOf(resource, step.target.byLid)
  return [{ sent: { op: 'remove', ...addressed(resource, step, null) }, type, resource: named, relationship: null }]
}

function relate(step: Step, type: string, known: readonly Known[]): readonly Planned[] {
  const resource = found([type], step.target, known)
  const all = Object.entries(relations[type] ?? {})
  const lively = all.filter(([, { types: of }]) => known.some((each) => isNamed(each) && of.includes(each.type)))
  const [relationship, relation] = chosen(step.hasLid && lively.length > 0 ? lively : all, step.relations[0]?.at ?? 0)
  if (resource === null || (type === 'albums' && relationship === 'artist')) return []
  const data = linkage(relation, step.relations[0]?.members ?? [], known)
  const op = relation.toMany === true ? step.mode : 'update'
  const sent: Sent = { op, ...addressed(resource, step, relationship), data }
  return [{ sent, type, resource: nameOf(resource, step.target.byLid), relationship }]
}

function addressed(resource: Known, { by, target }: Step, relationship: string | null): Pick<Sent, 'ref' | 'href'> {
  const { type, id } = resource
  if (id === null || by % 3 === 1) {
    return { ref: { ...nameOf(resource, target.byLid), ...(relationship === null ? {} : { relationship }) } }
  }
  const path = `/${type}/${id}${relationship === null ? '' : `/relationships/${relationship}`}`
  return { href: address(path, target.at) }
}

/** A path as in a link, relative to the endpoint of batches, or with ignored parts. */
function address(path: string, form: number): string {
  return chosen([path, `http://localhost${path}`, path.slice(1), `${path}?include=x#part`], form)
}

function found(among: readonly string[], { isLocal, at }: Mention, known: readonly Known[]): Known | null {
  const there = known.filter(({ type, isGone }) => among.includes(type) && !isGone)
  const added = there.filter(({ isAdded, lid, id }) => isAdded && (lid ?? id) !== null)
  const named = there.filter(({ lid, id }) => (lid ?? id) !== null)
  const candidates = isLocal && added.length > 0 ? added : named
  return candidates[at % Math.max(1, candidates.length)] ?? null
}

function reference(among: readonly string[], mention: Mention, known: readonly Known[]): Identifier | null {
  const resource = found(among, mention, known)
  return resource === null ? null : nameOf(resource, mention.byLid)
}

function nameOf({ type, id, lid }: Known, byLid: boolean): Identifier {
  if (lid !== null && (id === null || byLid)) return { type, lid }
  return { type, id: id ?? '' }
}

export function chosen<Value>(values: readonly Value[], at: number): Value {
  const value = values[at % values.length]
  if (value === undefined) throw new Error('There is nothing to choose from.')
  return value
}
