import { randomInt, randomUUID } from 'node:crypto'
import { isJsonObject } from '../../format/inspection/document-inspection.js'
import type { KnownType } from '../crawl/knowledge.js'
import { relationshipsOf } from '../documents/document-links.js'
import { dataDocument, type Exchange, responded } from '../exchange/exchange.js'
import { type Addressed, addressedIn, type Check, probe, type Run } from './run.js'

/** Checks that addresses of resources and relationships that do not exist respond with 404. */
export const missing: Check = {
  name: 'addresses that do not exist',
  statements: ['fetch-responses-404', 'fetch-relationships-response-404'],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

async function checkType(type: KnownType, run: Run): Promise<void> {
  const resource = addressedIn(type)
  if (resource === null) return
  const id = unknownId(resource.id, [...type.resources.keys()])
  await Promise.all([checkResource(resource, id, run), checkRelationships(resource, id, run)])
}

async function checkResource(resource: Addressed, id: string, run: Run): Promise<void> {
  const url = withId(resource.self, resource.id, id)
  if (url === null) return
  const exchange = await probe(run, url)
  if (exchange === null || isUndecided(exchange, id)) return
  run.ledger.expect('fetch-responses-404', exchange.response.status === 404, {
    problem: `${responded(exchange)}, not 404, although there is no such resource.`,
    exchange,
  })
}

/** Whether a response cannot be judged. Null is correct for addresses that might have a resource: this may be one. */
function isUndecided(exchange: Exchange, id: string): boolean {
  const data = dataDocument(exchange)?.['data']
  const exists = isJsonObject(data) && data['id'] === id
  return data === null || exists || (!isSimpleId(id) && [400, 422].includes(exchange.response.status))
}

/** Whether an id is a number, letters, a UUID or an ObjectId. Other ids may have parts with rules, such as a date. */
function isSimpleId(id: string): boolean {
  return /^(?:\d+|[a-z]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24})$/i.test(id)
}

async function checkRelationships(resource: Addressed, id: string, run: Run): Promise<void> {
  const relationship = relationshipsOf(resource).find(({ self }) => self !== null)
  const address = run.addresses.resolve(relationship?.self ?? '', resource.self)
  if (relationship === undefined || address.kind !== 'internal') return
  const { pathname } = new URL(address.url)
  const end = `/${encodeURIComponent(relationship.name)}`
  const unknownName = pathname.endsWith(end)
    ? new URL(`${pathname.slice(0, -end.length)}/noSuchRelationshipOfAshlarVerify`, address.url).href
    : null
  const unknownOwner = withId(address.url, resource.id, id)
  await Promise.all(
    [unknownName, unknownOwner].map(async (url) => {
      const exchange =
        url === null ? null : await probe(run, url, {}, { semantics: 'fetch-relationships-http-semantics' })
      if (exchange === null || (url === unknownOwner && isUndecided(exchange, id))) return
      run.ledger.expect('fetch-relationships-response-404', exchange.response.status === 404, {
        problem: `${responded(exchange)}, not 404, although there is no such relationship.`,
        exchange,
      })
    }),
  )
}

/** Returns an address with another id; `null` if the id is not one segment of it. */
export function withId(url: string, id: string, other: string): string | null {
  const { pathname } = new URL(url)
  const segments = pathname.split('/')
  const at = segments.findLastIndex((segment) => decoded(segment) === id)
  if (at === -1) return null
  const path = segments.with(at, encodeURIComponent(other)).join('/')
  return new URL(path, url).href
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns an id of the same form that no resource has. */
export function unknownId(id: string, known: readonly string[]): string {
  // Of an id of several numbers, most combinations of small ones may be in use.
  if (/^\d+(?:[^\da-z]\d+)+$/i.test(id)) return id.replace(/\d+$/, unknownId('1', known.map(lastNumber)))
  if (/^-?\d+$/.test(id)) {
    const largest = Math.max(...known.filter((each) => /^\d+$/.test(each)).map(Number), 0)
    // Some servers read ids as 32-bit integers, and respond differently to larger ids.
    return String(largest < 2_000_000_000 ? 2_000_000_000 : largest + 1_000_003)
  }
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return randomUUID()
  if (/^[\da-f]{24}$/i.test(id)) return 'f'.repeat(24)
  // Short ids of this form may all be in use.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const changed = randomLike(id)
    if (!known.includes(changed)) return changed
  }
  return `${id}${randomLike(id)}`
}

function lastNumber(id: string): string {
  return /\d+$/.exec(id)?.[0] ?? ''
}

/** Replaces every digit and letter by a random one, so that patterns still match. */
function randomLike(id: string): string {
  return id
    .replaceAll(/[a-z]/g, () => anyOf('abcdefghijklmnopqrstuvwxyz'))
    .replaceAll(/[A-Z]/g, () => anyOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
    .replaceAll(/\d/g, () => anyOf('123456789'))
}

function anyOf(characters: string): string {
  return characters.charAt(randomInt(characters.length))
}
