import { idsOf, isSame, isThere, type Link, links, type Reference, rowOf, type Shop } from './writes-model.js'

/** The refusals of the shop, and the results of accepted writes: implemented again, without any of its code. */

export type Linkage = Reference | null | readonly Reference[]

interface Document {
  readonly type: string
  readonly id: string | null
  readonly values: Readonly<Record<string, unknown>>
  readonly linkage: Readonly<Record<string, Linkage>>
}

export type Mode = 'replace' | 'add' | 'remove'

export type Write =
  | (Document & { readonly kind: 'create' })
  | (Document & { readonly kind: 'update'; readonly id: string })
  | { readonly kind: 'delete'; readonly type: string; readonly id: string }
  | { readonly kind: 'relate'; readonly type: string; readonly id: string; readonly relation: string; readonly mode: Mode; readonly linkage: Linkage } // biome-ignore format: one line a kind

/** An error of a write. Faults are reported in the order in which they are checked. */
interface Fault {
  readonly order: 'structure' | 'target' | 'bar' | 'shape' | 'gate' | 'type' | 'value' | 'related' | 'late'
  readonly status: number
}

const orders: readonly Fault['order'][] = [
  'structure',
  'target',
  'bar',
  'shape',
  'gate',
  'type',
  'value',
  'related',
  'late',
]

/** The statuses that a write may be refused with; none where it must succeed. */
export function refusals(shop: Shop, write: Write): readonly number[] {
  const faults = faultsOf(shop, write)
  const first = orders.find((order) => faults.some((fault) => fault.order === order))
  return faults.filter(({ order }) => order === first).map(({ status }) => status)
}

function faultsOf(shop: Shop, write: Write): readonly Fault[] {
  switch (write.kind) {
    case 'delete':
      return targetFaults(shop, write)
    case 'relate':
      return [...targetFaults(shop, write), ...relateFaults(shop, write)]
    case 'create':
      return [...idFaults(shop, write), ...documentFaults(shop, write, null)]
    case 'update':
      return [...targetFaults(shop, write), ...documentFaults(shop, write, write.id)]
  }
}

function targetFaults(shop: Shop, { type, id }: { readonly type: string; readonly id: string }): readonly Fault[] {
  return rowOf(shop, type, id) === undefined ? [{ order: 'target', status: 404 }] : []
}

/** A relationship endpoint checks its body after the owner is known; a document is checked first. */
function relateFaults(
  shop: Shop,
  { type, id, relation, mode, linkage }: Extract<Write, { kind: 'relate' }>,
): readonly Fault[] {
  if (relation === 'keeper') return [{ order: 'bar', status: 403 }]
  const isToOne = links[type]?.[relation]?.toMany === false
  if (isToOne && mode !== 'replace') return [{ order: 'shape', status: 400 }]
  const isBarred = type === 'shelves' && rowOf(shop, type, id)?.values['title'] === 'locked' && mode === 'remove'
  const late: readonly Fault[] = isBarred ? [{ order: 'late', status: 409 }] : []
  const faults = linkageFaults(shop, { type, id, name: relation, mode, linkage })
  return [
    ...faults.map((fault) => (fault.order === 'structure' ? { ...fault, order: 'shape' as const } : fault)),
    ...late,
  ]
}

const clientIds: Readonly<Record<string, { readonly isRequired: boolean; readonly form: RegExp }>> = {
  releases: { isRequired: false, form: /./ },
  tracks: { isRequired: false, form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
  playlists: { isRequired: true, form: /^[a-z-]+$/ },
}

function idFaults(shop: Shop, { type, id }: Document): readonly Fault[] {
  const rule = clientIds[type]
  if (id === null) return rule?.isRequired === true ? [{ order: 'structure', status: 403 }] : []
  if (rule === undefined) return [{ order: 'structure', status: 403 }]
  if (!rule.form.test(id)) return [{ order: 'value', status: 422 }]
  return rowOf(shop, type, id) === undefined ? [] : [{ order: 'late', status: 409 }]
}

function documentFaults(shop: Shop, { type, values, linkage }: Document, id: string | null): readonly Fault[] {
  const faults: Fault[] = []
  const required = type === 'artists' ? 'name' : 'title'
  if (values[required] === '' || (id === null && values[required] === undefined))
    faults.push({ order: 'value', status: 422 })
  if (values['year'] === 1859) faults.push({ order: 'value', status: 422 })
  for (const name of ['name', 'code']) {
    const value = values[name]
    const isTaken = idsOf(shop, type).some((other) => other !== id && rowOf(shop, type, other)?.values[name] === value)
    if (value !== undefined && value !== null && isTaken) faults.push({ order: 'late', status: 422 })
  }
  if (type === 'shelves' && values['title'] === 'refused') faults.push({ order: 'late', status: 409 })
  if (type === 'albums' && id === null && linkage['artist'] === undefined) faults.push({ order: 'value', status: 422 })
  for (const [name, each] of Object.entries(linkage)) {
    if (name !== 'keeper') faults.push(...linkageFaults(shop, { type, id, name, mode: 'replace', linkage: each }))
  }
  return faults
}

interface Sent {
  readonly type: string
  /** `null` for a new resource. */
  readonly id: string | null
  readonly name: string
  readonly mode: Mode
  readonly linkage: Linkage
}

/** Each resource once; the last occurrence counts. */
function identifiers(linkage: Linkage): readonly Reference[] {
  const list = [linkage ?? []].flat() as readonly Reference[]
  return list.filter((each, index) => !list.slice(index + 1).some((later) => isSame(each, later)))
}

const ofForm: Readonly<Record<string, RegExp>> = {
  tracks: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  playlists: /^[a-z-]+$/,
  shelves: /^\d+$/,
}

function linkageFaults(shop: Shop, sent: Sent): readonly Fault[] {
  const link = links[sent.type]?.[sent.name]
  if (link === undefined || Array.isArray(sent.linkage) !== link.toMany) return [{ order: 'structure', status: 400 }]
  const [wanted, current] = [identifiers(sent.linkage), sent.id === null ? [] : link.read(shop, sent.id)]
  const isMember = (each: Reference): boolean => current.some((member) => isSame(each, member))
  const news = wanted.filter((each) => !isMember(each))
  const faults: Fault[] = []
  if (sent.id !== null && isGated(shop, sent, changes(link, wanted, current)))
    faults.push({ order: 'gate', status: 403 })
  if (wanted.some(({ type }) => !link.types.includes(type))) faults.push({ order: 'type', status: 409 })
  if (news.some(({ type, id }) => ofForm[type]?.test(id) === false)) faults.push({ order: 'value', status: 422 })
  if (isAgainstRules(sent, wanted, current)) faults.push({ order: 'value', status: 422 })
  if (sent.mode !== 'remove' && news.some((each) => !isThere(shop, each)))
    faults.push({ order: 'related', status: 404 })
  return faults
}

/** Whether a replacement changes anything. */
function changes({ toMany }: Link, wanted: readonly Reference[], current: readonly Reference[]): boolean {
  if (!toMany) {
    const [[one], [shown]] = [wanted, current]
    return one === undefined || shown === undefined ? one !== shown : !isSame(one, shown)
  }
  const isStored = (each: Reference): boolean => {
    const member = current.find((other) => isSame(each, other))
    if (member === undefined) return false
    return Object.entries(each.pivot ?? {}).every(([name, value]) => (member.pivot?.[name] ?? null) === value)
  }
  return wanted.length !== current.length || !wanted.every(isStored)
}

function isGated(shop: Shop, { type, id, name, mode, linkage }: Sent, isChange: boolean): boolean {
  const isLocked = id !== null && rowOf(shop, type, id)?.values['title'] === 'locked'
  switch (`${type}.${name}`) {
    case 'albums.tracks':
      return mode === 'remove'
    case 'tracks.playlists':
      return mode === 'replace' && isChange
    case 'shelves.best':
      return isLocked && linkage === null && isChange
    case 'shelves.items':
      return isLocked && mode === 'add'
    default:
      return false
  }
}

function isAgainstRules(
  { type, id, name, mode }: Sent,
  wanted: readonly Reference[],
  current: readonly Reference[],
): boolean {
  if (type === 'albums' && name === 'artist') return wanted.length === 0 && (id === null || current.length > 0)
  if (type !== 'playlists' || name !== 'tracks') return false
  const isMember = (each: Reference): boolean => current.some((member) => isSame(each, member))
  const isWrong = (each: Reference): boolean => {
    const position = each.pivot?.['position']
    return position === undefined ? !isMember(each) : Number(position) < 1
  }
  if (mode !== 'remove' && wanted.some(isWrong)) return true
  const added = mode === 'remove' ? 0 : wanted.filter((each) => !isMember(each)).length
  const remaining = wanted.filter(isMember).length
  const removed = { replace: current.length - remaining, add: 0, remove: remaining }[mode]
  return (added > 0 || removed > 0) && current.length + added - removed > 4
}

/**
 * Applies an accepted write. `id` is that of a created resource, `taken` that of the portrait which the hooks of the shelves create:
 * the next number depends on the store.
 */
export function apply(shop: Shop, write: Write, { id, taken }: { readonly id: string; readonly taken: string }): void {
  if (write.kind === 'delete') {
    shop.rows[write.type]?.delete(id)
    return
  }
  if (write.kind === 'relate') applyLinkage(shop, { ...write, name: write.relation })
  else applyDocument(shop, write, id)
  if (write.type !== 'shelves') return
  const title = String(rowOf(shop, 'shelves', id)?.values['title'])
  const label = `Taken at the shelf${write.kind === 'relate' ? '' : ` ${title}`}`
  shop.rows['portraits']?.set(taken, { values: { title: label }, own: {} })
}

function applyDocument(shop: Shop, { type, values, linkage }: Document, id: string): void {
  const known = rowOf(shop, type, id)
  const row = known ?? { values: blanks(type), own: {} }
  Object.assign(row.values, values)
  if (type === 'releases') row.values['revision'] = Number(row.values['revision']) + 1
  if (known === undefined) shop.rows[type]?.set(id, row)
  for (const [name, each] of Object.entries(linkage)) {
    if (name !== 'keeper') applyLinkage(shop, { type, id, name, mode: 'replace', linkage: each })
  }
}

function blanks(type: string): Record<string, unknown> {
  if (type === 'artists') return { country: null }
  if (type === 'albums') return { year: null }
  return type === 'releases' ? { code: null, revision: 0 } : {}
}

function applyLinkage(shop: Shop, { type, id, name, mode, linkage }: Sent & { readonly id: string }): void {
  const link = links[type]?.[name]
  if (link === undefined) return
  const [sent, current] = [identifiers(linkage), link.read(shop, id)]
  const isSent = (member: Reference): boolean => sent.some((each) => isSame(each, member))
  if (mode === 'remove') return link.write(shop, id, { wanted: [], gone: current.filter(isSent) })
  if (mode === 'add') return link.write(shop, id, { wanted: sent, gone: [] })
  // The first of several matches is the member: sending it changes nothing.
  if (!link.toMany && current[0] !== undefined && isSent(current[0])) return
  link.write(shop, id, { wanted: sent, gone: current.filter((member) => !isSent(member)) })
}
