import type { World } from './leak-changes.js'
import type { Request } from './leak-requests.js'
import { isTypeName, type TypeName } from './leak-rows.js'
import { isDeniedAlways, isMet, isVisible, type RuleAbility } from './leak-rules.js'

/** What a request asks for: an ability, for a row unless it is about a collection. */
interface Asked {
  readonly type: TypeName
  readonly id: number | null
  readonly ability: RuleAbility | 'viewAny'
}

const actionAbilities: Readonly<Record<string, RuleAbility>> = { restore: 'restore', 'force-delete': 'forceDelete' }

function abilityOf(method: string, id: string | undefined, part: string | undefined): Asked['ability'] | null {
  if (method === 'GET' || method === 'HEAD') return id === undefined ? 'viewAny' : 'view'
  if (part === 'relationships') return 'update'
  if (method === 'POST') return id === undefined ? 'create' : null
  return method === 'PATCH' ? 'update' : 'delete'
}

function askedBy(method: string, path: string): Asked | null {
  const [, type, id, part, action] = (path.split('?')[0] ?? '').split('/')
  const isAction = part === '-actions'
  const ability = isAction ? (actionAbilities[action ?? ''] ?? null) : abilityOf(method, id, part)
  return ability === null || !isTypeName(type) ? null : { type, id: id === undefined ? null : Number(id), ability }
}

interface SentOperation {
  readonly op: string
  readonly href?: string
  readonly ref?: { readonly type: string; readonly id: string; readonly relationship?: string }
  readonly data?: { readonly type?: string; readonly id?: string }
}

/** What the first operation of a batch asks for. */
function askedByBatch(body: object | undefined): Asked | null {
  const [first] = (body as { readonly 'atomic:operations': readonly SentOperation[] })['atomic:operations']
  if (first === undefined) return null
  const { op, ref, data, href } = first
  const { type = '', id } = ref ?? data ?? {}
  const own = id === undefined ? `/${type}` : `/${type}/${id}`
  const path = href ?? (ref?.relationship === undefined ? own : `${own}/relationships/${ref.relationship}`)
  return askedBy(op === 'add' ? 'POST' : op === 'update' ? 'PATCH' : 'DELETE', path)
}

/** Returns why the status of a response is wrong: a gate has to deny the request before anything else is looked at. */
export function gateProblem(world: World, { method, path, body }: Request, status: number): string | null {
  const asked = path === '/operations' ? askedByBatch(body) : askedBy(method, path)
  const denied = world.caller === null ? 401 : 403
  if (asked === null || status === denied || status === 400) return null
  return isDenied(world, asked) ? `is ${status}, and ought to be ${denied}: '${asked.ability}' is denied` : null
}

function isDenied({ rules, rows, caller }: World, { type, id, ability }: Asked): boolean {
  const ofType = rules[type]
  if (isDeniedAlways(ofType, ability, caller)) return true
  const row = rows[type].find((each) => each.id === id)
  if (row === undefined || ability === 'view' || ability === 'viewAny') return false
  const isTrash = row.deletedAt !== null && row.deletedAt !== undefined
  if (isTrash && ability !== 'restore' && ability !== 'forceDelete') return false
  const question = { type, row, rules, rows, caller }
  return isVisible(question) && !isMet(ofType[ability], question)
}
