import type { JsonObject } from '../../format/inspection/document-inspection.js'
import type { StatementId } from '../../format/statements/statements.js'
import { unknownId, withId } from '../checks/missing.js'
import { identifiersIn, primaryResources, relationshipsOf, type ResourceObject } from '../documents/document-links.js'
import { type Exchange, isInconclusive, responded } from '../exchange/exchange.js'
import type { RequestOptions } from '../exchange/sender.js'
import { expectDetails, expectRefused, unknownType, withMissingRelated } from './check-creation.js'
import type { Maker } from './maker.js'
import { type WriteRun, write } from './write-run.js'

/** A resource of the run, at its address. */
export interface Subject {
  readonly url: string
  readonly resource: ResourceObject
}

/** https://jsonapi.org/format/1.1/#crud-updating */
export async function checkUpdates(url: string, maker: Maker, run: WriteRun): Promise<void> {
  const subject = await readSubject(url, run)
  if (subject === null) return
  const attribute = await checkAttributes(subject, maker, run)
  if (attribute === null) return
  await checkMismatches(subject, run)
  await checkIncomplete(subject, run)
  await checkAtomic(subject, { maker, attribute }, run)
  await checkReplacement(subject, { maker, attribute }, run)
}

/** Reads a resource of the run. */
export async function readSubject(url: string, run: WriteRun): Promise<Subject | null> {
  const exchange = await run.sender.send(url)
  const [resource] = exchange?.response.status === 200 ? primaryResources(exchange.document) : []
  return resource === undefined ? null : { url, resource }
}

function patch(url: string, options: RequestOptions, run: WriteRun): Promise<Exchange | null> {
  return write(run, url, { method: 'PATCH', ...options }, 'update-resource-http-semantics')
}

function isSuccess({ response: { status } }: Exchange): boolean {
  return status >= 200 && status < 300
}

/** The maximum number of attributes to try. */
const mostAttempts = 3

/** Updates one attribute. Returns its name; `null` if the server accepts no update. */
async function checkAttributes(subject: Subject, maker: Maker, run: WriteRun): Promise<string | null> {
  const { type, id, attributes } = subject.resource
  const names = Object.keys(attributes)
    .filter((name) => maker.otherValue(name) !== undefined)
    .toSorted((a, b) => Number(typeof attributes[b] === 'string') - Number(typeof attributes[a] === 'string'))
  for (const name of names.slice(0, mostAttempts)) {
    const value = maker.otherValue(name)
    const document = { data: { type, id, attributes: { [name]: value } } }
    const exchange = await patch(subject.url, { document }, run)
    if (exchange === null || [403, 404, 405, 501].includes(exchange.response.status)) return null
    if (!isSuccess(exchange)) continue
    await judgeUpdate(exchange, subject, { name, value }, run)
    return name
  }
  return null
}

interface Changed {
  readonly name: string
  readonly value: unknown
}

async function judgeUpdate(exchange: Exchange, before: Subject, { name }: Changed, run: WriteRun): Promise<void> {
  const { ledger } = run
  const { status } = exchange.response
  if (status === 202) {
    ledger.observe('update-resource-202-status')
    return
  }
  ledger.expect('update-resource-204-status', status === 200 || status === 204, {
    problem: `${responded(exchange)}, not 200 or 204.`,
    exchange,
  })
  const after = await readSubject(before.url, run)
  const again = await readSubject(before.url, run)
  if (after === null || again === null) return
  // Counters and clocks differ in every response.
  const stable = (attributes: JsonObject): JsonObject => {
    return stableMembers(attributes, [after.resource.attributes, again.resource.attributes])
  }
  judgeUnsent(exchange, before.resource, after.resource, { run, name })
  const [shown] = primaryResources(exchange.document)
  if (shown !== undefined) {
    const isShown = isEqual(stable(shown.attributes), stable(after.resource.attributes))
    ledger.expect('update-resource-relationship-200-response', isShown, {
      problem: `${responded(exchange)} with other attributes than a GET request shows after it.`,
      pointer: '/data/attributes',
      exchange,
    })
  } else if (status === 200) ledger.observe('update-resource-200-meta', 'update-resource-200-meta-representation')
  const [earlier, later] = [before, after].map(({ resource }) => without(stable(resource.attributes), name))
  const isChanged = !isEqual(earlier ?? {}, later ?? {})
  if (isChanged || status === 204) {
    ledger.expect('update-resource-200-status', !isChanged || (status === 200 && shown !== undefined), {
      problem: `${responded(exchange)} without the resource, although the update has changed other attributes too.`,
      exchange,
    })
  }
}

/** Checks that members which the request does not have are unchanged. */
function judgeUnsent(
  exchange: Exchange,
  before: ResourceObject,
  after: ResourceObject,
  { run: { ledger }, name }: { readonly run: WriteRun; readonly name: string },
): void {
  const lost = Object.entries(before.attributes).find(([attribute, value]) => {
    return attribute !== name && value !== null && (after.attributes[attribute] ?? null) === null
  })
  ledger.expect('update-interpret-resource-attributes', lost === undefined, {
    problem: `${responded(exchange)}, and the attribute '${lost?.[0]}' is null after it, although the request did not have it.`,
    exchange,
  })
  const linked = relationshipsOf(before).filter(({ data }) => identifiersIn(data).length > 0)
  if (linked.length === 0) return
  const emptied = linked.find((relationship) => {
    const now = relationshipsOf(after).find((each) => each.name === relationship.name)
    return now?.data !== undefined && identifiersIn(now.data).length === 0
  })
  ledger.expect('update-interpret-resource-relationships', emptied === undefined, {
    problem: `${responded(exchange)}, and the relationship '${emptied?.name}' is empty after it, although the request did not have it.`,
    exchange,
  })
}

/** Returns the members of an object that are the same in two others. */
function stableMembers(object: JsonObject, [left, right]: readonly [JsonObject, JsonObject]): JsonObject {
  const isStable = (name: string): boolean => JSON.stringify(left[name]) === JSON.stringify(right[name])
  return Object.fromEntries(Object.entries(object).filter(([name]) => isStable(name)))
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))
}

function isEqual(left: JsonObject, right: JsonObject): boolean {
  return sortedText(left) === sortedText(right)
}

function sortedText(object: JsonObject): string {
  return JSON.stringify(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** https://jsonapi.org/format/1.1/#crud-updating-responses-409 */
async function checkMismatches({ url, resource }: Subject, run: WriteRun): Promise<void> {
  const { type, id } = resource
  const known = [...(run.knowledge.types.get(type)?.resources.keys() ?? []), id]
  const other = unknownId(id, known)
  for (const data of [
    { type: unknownType, id },
    { type, id: other },
  ]) {
    const exchange = await patch(url, { document: { data: { ...data, attributes: {} } } }, run)
    if (exchange === null || isInconclusive(exchange)) continue
    run.ledger.expect('update-resource-409-no-match', exchange.response.status === 409, {
      problem: `${responded(exchange)}, not 409, to the resource object '${data.type}' '${data.id}'.`,
      exchange,
    })
    expectDetails(exchange, 'update-resource-409-details', run)
  }
  const address = withId(url, id, other)
  if (address === null) return
  const exchange = await patch(address, { document: { data: { type, id: other, attributes: {} } } }, run)
  if (exchange === null || isInconclusive(exchange)) return
  run.ledger.expect('update-resource-404-status', exchange.response.status === 404, {
    problem: `${responded(exchange)}, not 404, although there is no such resource.`,
    exchange,
  })
}

async function checkIncomplete({ url, resource: { type, id } }: Subject, run: WriteRun): Promise<void> {
  const incomplete: readonly (readonly [StatementId, RequestOptions, string])[] = [
    ['update-patch-resource', { document: {} }, 'no primary data'],
    [
      'update-patch-resource-members',
      { document: { data: { type, attributes: {} } } },
      'a resource object without an id',
    ],
    [
      'update-patch-resource-members',
      { document: { data: { id, attributes: {} } } },
      'a resource object without a type',
    ],
    ['update-resource-http-semantics', { body: '{"data":' }, 'a body that is not JSON'],
  ]
  for (const [statement, options, content] of incomplete) {
    const exchange = await patch(url, options, run)
    if (exchange === null) return
    expectRefused(exchange, { statement, content }, run)
  }
}

interface Updated {
  readonly maker: Maker
  /** An attribute that the server lets clients change. */
  readonly attribute: string
}

/** Checks that a request with one part that cannot succeed changes nothing. */
async function checkAtomic(subject: Subject, { maker, attribute }: Updated, run: WriteRun): Promise<void> {
  const before = await readSubject(subject.url, run)
  const sent = maker.fresh().data.relationships ?? {}
  const broken = withMissingRelated(sent, run)
  if (before === null || broken === null) return
  const { type, id } = before.resource
  const attributes = { [attribute]: maker.otherValue(attribute) }
  const exchange = await patch(
    subject.url,
    { document: { data: { type, id, attributes, relationships: broken } } },
    run,
  )
  if (exchange === null || isInconclusive(exchange) || isSuccess(exchange)) return
  run.ledger.expect('update-resource-404-related', exchange.response.status === 404, {
    problem: `${responded(exchange)}, not 404, to a request with a relationship to a resource that does not exist.`,
    exchange,
  })
  await expectUnchanged(before, { exchange, attribute, statement: 'crud-atomic' }, run)
}

interface Unchanged {
  readonly exchange: Exchange
  readonly attribute: string
  readonly statement: StatementId
}

async function expectUnchanged(
  before: Subject,
  { exchange, attribute, statement }: Unchanged,
  run: WriteRun,
): Promise<void> {
  const after = await readSubject(before.url, run)
  if (after === null) return
  const [left, right] = [before.resource.attributes[attribute], after.resource.attributes[attribute]]
  run.ledger.expect(statement, JSON.stringify(left) === JSON.stringify(right), {
    problem: `${responded(exchange)}, but the attribute '${attribute}' of the refused request is changed.`,
    exchange,
  })
}

/** Checks that a server which refuses to replace a to-many relationship refuses the whole update with 403. */
async function checkReplacement(subject: Subject, { maker, attribute }: Updated, run: WriteRun): Promise<void> {
  const before = await readSubject(subject.url, run)
  const relation = [...maker.type.relations.values()].find(({ isToMany }) => isToMany === true)
  if (before === null || relation === undefined) return
  const { type, id } = before.resource
  const attributes = { [attribute]: maker.otherValue(attribute) }
  const relationships = { [relation.name]: { data: [] } }
  const exchange = await patch(subject.url, { document: { data: { type, id, attributes, relationships } } }, run)
  if (exchange?.response.status !== 403) return
  const statement = 'update-resource-relationship-reject-full-replacement-response'
  await expectUnchanged(before, { exchange, attribute, statement }, run)
}
