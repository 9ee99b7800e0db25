import { chosen, type Identifier, type Planned, relations, type ResourceData } from './atomic-operations.js'
import type { Fault } from './atomic-steps.js'
import { seeded } from './atomic-world.js'
import { uuid } from './writes-rows.js'

/** Something that is wrong somewhere in a batch, and that is not seen before the operations in front of it are done. */
export function withFault(operations: readonly Planned[], { kind, at, isLocal }: Fault): readonly Planned[] {
  const index = at % (operations.length + 1)
  const there = operations[index]
  const before = operations.slice(0, index)
  const addition = there === undefined || !isAddition(there) ? null : there
  const wrong = wrongs[kind]({ there: addition, at, before, added: isLocal ? addedBefore(before, at) : null })
  const isChanged = addition !== null && wrong.length === 1 && wrong.every((each) => isSameAddition(each, addition))
  return [...before, ...wrong, ...operations.slice(isChanged ? index + 1 : index)]
}

interface Spot {
  /** The operation at this position, if it adds a resource. */
  readonly there: Addition | null
  readonly at: number
  readonly before: readonly Planned[]
  /** A resource that an earlier operation has added; `null` if there is none, or none is wanted. */
  readonly added: Identifier | null
}

interface Addition extends Planned {
  readonly sent: Planned['sent'] & { readonly data: ResourceData }
}

function isAddition(operation: Planned): operation is Addition {
  return operation.sent.op === 'add' && operation.relationship === null
}

function isSameAddition(one: Planned, other: Addition): boolean {
  return isAddition(one) && one.type === other.type && one.sent.data.lid === other.sent.data.lid
}

function addedBefore(before: readonly Planned[], at: number): Identifier | null {
  const named = before.filter(isAddition).flatMap(({ type, sent: { data } }) => {
    const { lid } = data
    return lid === undefined ? [] : [{ type, lid }]
  })
  return named.length === 0 ? null : chosen(named, at)
}

const wrongs: Readonly<Record<Fault['kind'], (spot: Spot) => readonly Planned[]>> = {
  value: ({ there }) => [changed(there ?? newLabel(), { attributes: { name: '', title: '', seconds: 0 } })],
  taken({ there, before }) {
    if (there === null || !['labels', 'artists', 'tracks'].includes(there.type)) return [newLabel('Parlophone')]
    const twin = before.filter(isAddition).findLast(({ type }) => type === there.type)
    const { name = firsts[there.type], code = 'A-1' } = twin?.sent.data.attributes ?? {}
    return [changed(there, { attributes: there.type === 'tracks' ? { code } : { name } })]
  },
  repeated({ there }) {
    if (there?.type === 'tracks') return [changed(there, { id: uuid(1) })]
    return [creation({ type: 'playlists', id: 'monday', attributes: { title: 'Monday again' }, relationships: {} })]
  },
  forbidden: ({ there }) => [changed(there?.type === 'portraits' ? there : newLabel(), { id: '77' })],
  gone({ at, added }) {
    if (added !== null) return [removalOf(added), updateOf(added)]
    const [label, track] = [
      { type: 'labels', id: '99' },
      { type: 'tracks', id: uuid(77) },
    ]
    return [chosen([removalOf(label), updateOf(track), updateOf(label)], at)]
  },
  stranger({ there, added }) {
    if (added?.type === 'tracks') return [removalOf(added), listing(added)]
    const own = ownRelation(there)
    if (there === null || own === null) return [listing({ type: 'tracks', id: uuid(77) })]
    const missing = { type: own.type, id: own.type === 'albums' ? 'al-zz' : '99' }
    return [changed(there, { relationships: { [own.name]: { data: missing } } })]
  },
  type({ there, added }) {
    const label = added?.type === 'labels' ? added : { type: 'labels', id: '1' }
    const own = ownRelation(there)
    if (there === null || own === null || own.type === 'labels') return [listing(label)]
    return [changed(there, { relationships: { [own.name]: { data: label } } })]
  },
  place() {
    const operation = newLabel()
    return [{ ...operation, type: 'artists', sent: { ...operation.sent, href: '/artists' } }]
  },
  name({ added }) {
    const other = added ?? { type: 'labels', id: '2' }
    const resource = { type: other.type, id: chosen(seeded[other.type] ?? [], 0) }
    const { sent, ...operation } = updateOf(resource)
    return [{ ...operation, sent: { ...sent, data: { ...other, attributes: {}, relationships: {} } } }]
  },
  shape({ there, at }) {
    const own = ownRelation(there)
    if (there !== null && own !== null) return [changed(there, { relationships: { [own.name]: { data: [] } } })]
    const relationship = 'tracks'
    const resource = { type: 'playlists', id: 'monday' }
    const ref = { ...resource, relationship }
    const isList = at % 2 === 0
    if (!isList) return [{ sent: { op: 'update', ref, data: null }, type: 'playlists', resource, relationship }]
    const to = { ...resource, relationship: 'dedicatedTo' }
    return [{ sent: { op: 'add', ref: to, data: [] }, type: 'playlists', resource, relationship: 'dedicatedTo' }]
  },
}

const firsts: Readonly<Record<string, string>> = { labels: 'Parlophone', artists: 'Radiohead' }

function newLabel(name = 'A label'): Addition {
  return creation({ type: 'labels', attributes: { name }, relationships: {} })
}

function creation(data: ResourceData): Addition {
  return { sent: { op: 'add', data }, type: data.type, resource: null, relationship: null }
}

function changed(operation: Addition, { attributes, relationships, id }: Partial<ResourceData>): Addition {
  const data: ResourceData = operation.sent.data
  const wrong: ResourceData = {
    ...data,
    ...(id === undefined ? {} : { id }),
    attributes: { ...data.attributes, ...attributes },
    relationships: { ...data.relationships, ...relationships },
  }
  return { ...operation, sent: { ...operation.sent, data: wrong } }
}

function removalOf(resource: Identifier): Planned {
  return { sent: { op: 'remove', ref: resource }, type: resource.type, resource, relationship: null }
}

function updateOf(resource: Identifier): Planned {
  const data = { ...resource, attributes: {}, relationships: {} }
  return { sent: { op: 'update', ref: resource, data }, type: resource.type, resource, relationship: null }
}

/** Puts something on a playlist. */
function listing(member: Identifier): Planned {
  const resource = { type: 'playlists', id: 'tuesday' }
  const data = [{ ...member, meta: { pivot: { position: 1 } } }]
  const ref = { ...resource, relationship: 'tracks' }
  return { sent: { op: 'add', ref, data }, type: 'playlists', resource, relationship: 'tracks' }
}

function ownRelation(there: Planned | null): { readonly name: string; readonly type: string } | null {
  const own = Object.entries(relations[there?.type ?? ''] ?? {}).find(([, { isOwn }]) => isOwn === true)
  if (own === undefined || there?.type === 'playlists') return null
  return { name: own[0], type: own[1].types[0] ?? '' }
}
