import type { World } from './leak-changes.js'
import type { Request } from './leak-requests.js'
import { isTypeName, rowNumber, type TypeName } from './leak-rows.js'
import { type Ability, holds, isDeniedAlways, isVisible, type Rules } from './leak-rules.js'

/** The ability that a request needs, for a row or for a collection. */
interface NeededAbility {
  readonly type: TypeName
  readonly id: number | null
  readonly ability: Ability
}

const actionAbilities: Readonly<Record<string, Ability>> = {
  restore: 'restore',
  'force-delete': 'forceDelete',
  act: 'act',
  gather: 'gather',
}

/** The relations that need their own abilities, if their type is guarded. */
const guardedRelations: Readonly<Record<'read' | 'mutate', ReadonlySet<string>>> = {
  read: new Set(['playlists.guests', 'playlists.favourite']),
  mutate: new Set(['playlists.guests', 'playlists.favourite', 'playlists.tracks', 'albums.tracks']),
}

function abilityOf(method: string, { type, id, relation, isGuarded }: Path): Ability | null {
  const isRead = ['GET', 'HEAD', 'QUERY'].includes(method)
  if (relation !== undefined) {
    const hasOwn = isGuarded && guardedRelations[isRead ? 'read' : 'mutate'].has(`${type}.${relation}`)
    if (hasOwn) return isRead ? 'peruse' : 'alter'
    return isRead ? 'FetchOne' : 'update'
  }
  if (isRead) return id === undefined ? 'viewAny' : 'FetchOne'
  if (method === 'POST') return id === undefined ? 'create' : null
  return method === 'PATCH' || method === 'PUT' ? 'update' : 'delete'
}

interface Path {
  readonly type: TypeName
  readonly id: string | undefined
  readonly relation: string | undefined
  readonly isGuarded: boolean
}

function neededFor(method: string, path: string, rules: Rules): NeededAbility | null {
  const [, type, ...rest] = (path.split('?')[0] ?? '').split('/')
  if (!isTypeName(type)) return null
  const [id, part, name] = rest[0] === '-actions' ? [undefined, ...rest] : rest[0] === '-aggregates' ? [] : rest
  const relation = part === 'relationships' ? name : part
  const ability =
    part === '-actions'
      ? (actionAbilities[name ?? ''] ?? null)
      : abilityOf(method, { type, id, relation, isGuarded: rules[type].isGuarded })
  return ability === null ? null : { type, id: id === undefined ? null : rowNumber(id), ability }
}

interface SentOperation {
  readonly op: string
  readonly href?: string
  readonly ref?: { readonly type: string; readonly id: string; readonly relationship?: string }
  readonly data?: { readonly type?: string; readonly id?: string }
}

/** The ability that the first operation of a batch needs. */
function neededForBatch(body: object | undefined, rules: Rules): NeededAbility | null {
  const [first] = (body as { readonly 'atomic:operations': readonly SentOperation[] })['atomic:operations']
  if (first === undefined) return null
  const { op, ref, data, href } = first
  // A new resource may have an id of the client.
  const { type = '', id } = ref ?? (op === 'add' ? { type: data?.type } : data) ?? {}
  const url = id === undefined ? `/${type}` : `/${type}/${id}`
  const path = href ?? (ref?.relationship === undefined ? url : `${url}/relationships/${ref.relationship}`)
  return neededFor(op === 'add' ? 'POST' : op === 'update' ? 'PATCH' : 'DELETE', path, rules)
}

/** Returns why the status of a response is wrong: a gate must deny the request before anything else is checked. */
export function gateProblem(world: World, { method, path, body }: Request, status: number): string | null {
  const { rules } = world
  const needed = path === '/operations' ? neededForBatch(body, rules) : neededFor(method, path, rules)
  const denied = world.caller === null ? 401 : 403
  // An aggregate does not exist for callers who do not see a field that groups.
  if (path.includes('/-aggregates/') && status === 404) return null
  if (needed === null || status === denied || status === 400) return null
  return isDenied(world, needed) ? `is ${status}, and ought to be ${denied}: '${needed.ability}' is denied` : null
}

function isDenied({ rules, rows, caller }: World, { type, id, ability }: NeededAbility): boolean {
  const ofType = rules[type]
  if (isDeniedAlways(ofType, ability, caller)) return true
  const row = rows[type].find((each) => each.id === id)
  if (row === undefined || ability === 'view' || ability === 'viewAny' || ability === 'gather') return false
  const isTrash = row.deletedAt !== null && row.deletedAt !== undefined
  if (isTrash && ability !== 'restore' && ability !== 'forceDelete') return false
  const question = { type, row, rules, rows, caller }
  return isVisible(question) && !holds(ability, question)
}
