import type { TestClient, TestResponse } from 'ashlar/testing'
import { client } from '../../support/client.js'
import { changeProblems, namesTrackOfHiddenAlbum, type World } from './leak-changes.js'
import { gateProblem } from './leak-gates.js'
import type { Request } from './leak-requests.js'
import {
  canary,
  firstNewId,
  isTypeName,
  joinedMember,
  type JoinName,
  joinNames,
  type JoinRow,
  type Row,
  type Rows,
  type TypeName,
  typeNames,
  withoutUnseen,
} from './leak-rows.js'
import { type CallerId, holds, isVisible } from './leak-rules.js'
import type { LeakStore } from './leak-store.js'
import { leakServer } from './leak-world.js'

/** Something that a caller has learnt or changed, and must not. */
export interface Fault {
  readonly request: Request
  readonly problem: string
}

/** A database with all rows, and one without the rows that the caller cannot see. */
export interface Stores {
  readonly full: LeakStore
  readonly reduced: LeakStore
}

export const send = (
  api: TestClient,
  { method, path, headers, body }: Request,
  caller: CallerId,
): Promise<TestResponse> => {
  const sent = {
    headers: { ...headers, ...(caller === null ? {} : { Authorization: String(caller) }) },
    ...(body === undefined ? {} : { body }),
  }
  if (method === 'QUERY' && body !== undefined) {
    return api.request(method, path, { ...sent, headers: { ...sent.headers, 'Content-Type': 'application/json' } })
  }
  if (method !== 'QUERY') return api.request(method, path, sent)
  const [address = '', query = ''] = path.split(/\?(.*)/s)
  return api.query(address, query, sent)
}

/**
 * The whole response as a text. Ids of new resources are replaced by their order: a write that is rolled back in one database only
 * uses ids up there. The hash of a document with such an id is left out.
 */
export function comparableResponse({ status, headers, text }: TestResponse): string {
  const known: string[] = []
  const all = `${status} ${JSON.stringify([...headers])} ${text}`
  const replaced = all.replaceAll(/\b9\d{4}\b/g, (id) => {
    if (Number(id) <= firstNewId) return id
    if (!known.includes(id)) known.push(id)
    return `new${known.indexOf(id)}`
  })
  return known.length === 0 ? replaced : replaced.replace(/(\["ETag","\\"[^".]*)[^"]*\\"/, String.raw`$1\"`)
}

/** Sends the requests to both databases. Returns the first fault; `null` if there is none. */
export async function walk(stores: Stores, start: World, requests: readonly Request[]): Promise<Fault | null> {
  const { rules, caller } = start
  await stores.full.fill(start.rows)
  await stores.reduced.fill(reducedRows(start, seenRows(start)))
  const serverOver = (store: LeakStore): TestClient => client(leakServer(rules, store.source()), { validate: false })
  const [api, other] = [serverOver(stores.full), serverOver(stores.reduced)]
  let world = start
  for (const request of [...requests, ...(await foreignCursors(api, requests, caller))]) {
    const responses = { response: await send(api, request, caller), expected: await send(other, request, caller) }
    const { response, expected } = responses
    if (response.status >= 500 || expected.status >= 500)
      return { request, problem: `fails: ${comparableResponse(response)}` }
    const gate = gateProblem(world, request, response.status) ?? cacheProblem(response)
    if (gate !== null) return { request, problem: gate }
    if (isRead(request)) {
      const problem = differenceIn(responses) ?? shownCanary(world, request, response) ?? linkProblem([world], response)
      if (problem !== null) return { request, problem }
      continue
    }
    const after = { ...world, rows: await stores.full.snapshot() }
    const problem =
      changeProblems(world, after) ??
      linkProblem([world, after], response) ??
      (await writeProblem(stores, { ...responses, request }, world, after))
    if (problem !== null) return { request, problem: `${problem}\n${comparableResponse(response)}` }
    const isSame = comparable(world.rows) === comparable(after.rows) && response.status === expected.status
    const isChanged = !isSame || isOwnConflict(responses)
    world = after
    if (isChanged) await stores.reduced.fill(reducedRows(world, seenRows(world)))
  }
  return null
}

const isRead = ({ method }: Request): boolean => ['GET', 'HEAD', 'QUERY'].includes(method)

/** Returns why a shared cache could show the response to another caller. */
function cacheProblem({ headers }: TestResponse): string | null {
  const control = headers.get('cache-control')
  if (!(control ?? '').split(/, ?/).includes('private')) return `has Cache-Control: ${control}`
  const vary = headers.get('vary') ?? ''
  return vary.split(/, ?/).includes('Authorization') ? null : `has Vary: ${vary}`
}

/**
 * Returns which link to an action is shown though the caller may not follow it.
 *
 * @param worlds the rows as they are, or before and after a write
 */
function linkProblem(worlds: readonly World[], { text }: TestResponse): string | null {
  for (const [link, type, id] of text.matchAll(/\/([a-z]+)\/(\d+)\/-actions\/act"/g)) {
    if (isTypeName(type) && !worlds.some((world) => mayAct(world, type, Number(id)))) return `shows ${link}`
  }
  return null
}

function mayAct({ rules, rows, caller }: World, type: TypeName, key: number): boolean {
  const row = rows[type].find(({ id }) => id === key)
  return row !== undefined && holds('act', { type, row, rules, rows, caller })
}

/** Pages of cursors that another caller has been given, as they continue. */
async function foreignCursors(
  api: TestClient,
  requests: readonly Request[],
  caller: CallerId,
): Promise<readonly Request[]> {
  const found: Request[] = []
  for (const request of requests.filter(({ path }) => path.includes('page[kind]=cursor')).slice(0, 3)) {
    const { document } = await send(api, { ...request, method: 'GET' }, caller === 1 ? 2 : 1)
    const next = document?.links?.['next']
    if (typeof next === 'string') found.push({ ...request, method: 'GET', path: next.slice('http://localhost'.length) })
  }
  return found
}

interface Responses {
  readonly response: TestResponse
  /** The response of the database without the rows that the caller cannot see. */
  readonly expected: TestResponse
}

function differenceIn({ response, expected }: Responses): string | null {
  const [actual, wanted] = [comparableResponse(response), comparableResponse(expected)]
  return actual === wanted ? null : `${actual}\n  in place of\n${wanted}`
}

/** A conflict reveals that a value, an id or a row is taken or in use, but not by which resource. */
function isOwnConflict({ response, expected }: Responses): boolean {
  const isConflict = response.status === 409 || response.text.includes('is already taken')
  return isConflict && comparableResponse(response) !== comparableResponse(expected)
}

async function writeProblem(
  { reduced }: Stores,
  { request, ...responses }: Responses & { readonly request: Request },
  before: World,
  after: World,
): Promise<string | null> {
  const [seen, seenAfter] = [seenRows(before), seenRows(after)]
  const { response } = responses
  // The caller may see once more what it has just changed.
  const shown = canaries(after, seenAfter).find(
    (each) => response.text.includes(`"${each.name}"`) && !seen.has(each.row),
  )
  if (shown !== undefined) return `shows ${shown.name}`
  // A write may bring rows into sight, which the smaller database does not have.
  const showsMore = [...seenAfter].some((each) => !seen.has(each) && !isNew(each))
  if (isOwnConflict(responses) || showsMore) return null
  const left = await reduced.snapshot()
  const isDenied = response.status === 401 || response.status === 403
  if (isDenied && namesTrackOfHiddenAlbum(before, request)) return null
  const difference = differenceIn(responses)
  if (difference !== null) return difference
  const shownAfter = new Set([...seen, ...[...seenAfter].filter(isNew)])
  const remaining = comparable(reducedRows(after, shownAfter))
  const stored = withoutUnseen(left, (type, row, part) => {
    return part === 'row' || shownAfter.has(nameOf(type, row, part))
  })
  const [actual, wanted] = [remaining, comparable(stored)]
  return actual === wanted ? null : `leaves\n${actual}\n  in place of\n${wanted}`
}

const isNew = (row: string): boolean => /\b9\d{4}\b/.test(row)

/** Names a row, or its guarded fields. */
const nameOf = (type: TypeName, { id }: Row, part: 'row' | 'reveal' | 'peruse' = 'row'): string =>
  part === 'row' ? `${type} ${id}` : `${type} ${id} ${part}`

/** The rows that the caller sees, by type and id, and their visible parts. */
function seenRows({ rules, rows, caller }: World): ReadonlySet<string> {
  const seen = typeNames.flatMap((type) =>
    rows[type].flatMap((row) => {
      const question = { rules, rows, caller, type, row }
      if (!isVisible(question)) return []
      const parts = (['reveal', 'peruse'] as const).filter((part) => !rules[type].isGuarded || holds(part, question))
      return [nameOf(type, row), ...parts.map((part) => nameOf(type, row, part))]
    }),
  )
  return new Set(seen)
}

function reducedRows({ rows }: World, seen: ReadonlySet<string>): Rows {
  return withoutUnseen(rows, (type, row, part) => seen.has(nameOf(type, row, part)))
}

/** The names of existing rows that the caller cannot see. */
function canaries(
  { rows }: World,
  seen: ReadonlySet<string>,
): readonly { readonly name: string; readonly row: string }[] {
  return typeNames.flatMap((type) =>
    rows[type]
      .map((row) => ({ name: canary(type, row.id), row: nameOf(type, row) }))
      .filter(({ row }) => !seen.has(row)),
  )
}

function shownCanary(world: World, { path }: Request, { text }: TestResponse): string | null {
  // Links repeat the request of the client.
  if (path.includes('kanarie')) return null
  // Texts of JSON have quotation marks, and those in cells of CSV have separators.
  const names = new Set(text.split(/["\r\n,]/))
  const shown = canaries(world, seenRows(world)).find(({ name }) => names.has(name))
  return shown === undefined ? null : `shows ${shown.name}`
}

/**
 * All rows as a text, without differences of two stores: columns that are null, new ids, the current time, and join rows of deleted
 * rows.
 *
 * @param withNew whether new rows count too
 */
export function comparable(rows: Rows, withNew = false): string {
  const listed = typeNames.map((type) => {
    const counted = rows[type].filter(({ id }) => withNew || id <= firstNewId)
    return [type, counted.map((row) => rowText(row, false)).toSorted()]
  })
  const joined = joinNames.map((name) => {
    const used = rows[name].filter((row) => isJoined(rows, name, row))
    return [name, used.map((row) => rowText(row, true)).toSorted()]
  })
  return JSON.stringify(Object.fromEntries([...listed, ...joined]))
}

/** Whether both rows that a join row refers to exist. */
function isJoined(rows: Rows, name: JoinName, join: JoinRow): boolean {
  const [type, key] = joinedMember(name, join)
  const exists = (of: TypeName, id: number | undefined): boolean => rows[of].some((row) => row.id === id)
  return exists('playlists', join.playlistId) && isTypeName(type) && exists(type, key)
}

function rowText(row: object, isJoin: boolean): string {
  const members = Object.entries(row).filter(
    ([name, value]) => value !== null && value !== undefined && !(isJoin && name === 'id'),
  )
  return JSON.stringify(Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .replaceAll(/:9\d{4}\b/g, ':new')
    .replaceAll(/"deletedAt":"20(?!26-01)[^"]*"/g, '"deletedAt":"now"')
}
