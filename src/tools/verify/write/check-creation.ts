import { randomUUID } from 'node:crypto'
import { MEDIA_TYPE } from '../../../core/document/media-type.js'
import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'
import type { StatementId } from '../../format/statements/statements.js'
import { unknownId } from '../checks/missing.js'
import { identifiersIn, linksOf } from '../documents/document-links.js'
import { type Exchange, isInconclusive, responded } from '../exchange/exchange.js'
import type { RequestOptions } from '../exchange/sender.js'
import type { Maker } from './maker.js'
import { type WriteRun, write } from './write-run.js'

/** A name of a type that no server has. */
export const unknownType = 'no-such-type-of-ashlar-verify'

/** https://jsonapi.org/format/1.1/#crud-creating */
export async function checkCreation(maker: Maker, run: WriteRun): Promise<void> {
  judgeCreated(maker, run)
  await checkMediaTypes(maker, run)
  await checkIgnoredMembers(maker, run)
  await checkConflict(maker, run)
  await checkIncomplete(maker, run)
  await checkMissingRelated(maker, run)
  await checkClientId(maker, run)
}

function post(maker: Maker, options: RequestOptions, run: WriteRun): Promise<Exchange | null> {
  return write(run, maker.url, { method: 'POST', ...options }, 'create-http-semantics')
}

/** https://jsonapi.org/format/1.1/#crud-creating-responses-201 */
function judgeCreated({ exchange, id }: Maker, { ledger, addresses }: WriteRun): void {
  const { response, document, request } = exchange
  if (id === 'required') {
    ledger.expect('create-responses-204', [201, 204].includes(response.status), {
      problem: `${responded(exchange)}, not 201 or 204, to a request with a client-generated ID.`,
      exchange,
    })
    if (response.status === 204) return
  } else {
    ledger.expect('create-responses-201-status', response.status === 201, {
      problem: `${responded(exchange)}, not 201.`,
      exchange,
    })
  }
  const data = isJsonObject(document) ? document['data'] : undefined
  // With a client-generated id, the response need not have the resource.
  if (id !== 'required') {
    ledger.expect('create-responses-201-document', isJsonObject(data), {
      problem: `${responded(exchange)} without the new resource as primary data.`,
      exchange,
    })
  }
  const location = response.headers.get('location')
  ledger.expect('create-responses-201-location', location !== undefined, {
    problem: `${responded(exchange)} without the header Location.`,
    exchange,
  })
  const { self } = linksOf(data)
  if (location === undefined || self === undefined) return
  const [left, right] = [addresses.resolve(location, request.url), addresses.resolve(self, request.url)]
  ledger.expect('create-responses-201-self', JSON.stringify(left) === JSON.stringify(right), {
    problem: `${responded(exchange)} with Location: ${location}, but the link 'self' of the resource is ${self}.`,
    pointer: '/data/links/self',
    exchange,
  })
}

const mediaTypes: readonly (readonly [StatementId, string])[] = [
  ['response-unsupported-media-type', `${MEDIA_TYPE}; charset=utf-8`],
  ['ext-unsupported-media-type', `${MEDIA_TYPE}; ext="https://example.com/ashlar-verify/ext"`],
]

async function checkMediaTypes(maker: Maker, run: WriteRun): Promise<void> {
  for (const [statement, mediaType] of mediaTypes) {
    const exchange = await post(maker, { document: maker.fresh(), headers: { 'Content-Type': mediaType } }, run)
    if (exchange === null || isInconclusive(exchange)) continue
    run.ledger.expect(statement, exchange.response.status === 415, {
      problem: `${responded(exchange)}, not 415, to Content-Type: ${mediaType}`,
      exchange,
    })
  }
}

/** Checks that members which the format does not define, and @-members, are ignored. */
async function checkIgnoredMembers(maker: Maker, run: WriteRun): Promise<void> {
  const { data } = maker.fresh()
  const unknown = { data: { ...data, unknownMember: true }, unknownMember: { of: 'ashlar verify' } }
  await expectIgnored(maker, { document: unknown, statements: ['ignore-additional-members'] }, run)
  const { data: other } = maker.fresh()
  const annotated = {
    '@context': { of: 'ashlar verify' },
    data: { '@kind': 'x', ...other, attributes: { '@note': 'x', ...other.attributes } },
  }
  const statements = ['member-name-at-members-no-process', 'member-name-at-members-ignore-for-definitions'] as const
  await expectIgnored(maker, { document: annotated, statements }, run)
}

interface Ignored {
  readonly document: unknown
  readonly statements: readonly StatementId[]
}

async function expectIgnored(maker: Maker, { document, statements }: Ignored, run: WriteRun): Promise<void> {
  const exchange = await post(maker, { document }, run)
  if (exchange === null || isInconclusive(exchange)) return
  const isTaken = exchange.response.status < 300
  // The request may have been refused for another reason, such as a value that must be unique.
  if (!isTaken && !(await canCreate(maker, run))) return
  for (const statement of statements) {
    run.ledger.expect(statement, isTaken, {
      problem: `${responded(exchange)}, although the request differs from one that succeeds only in members that must be ignored.`,
      exchange,
    })
  }
}

async function canCreate(maker: Maker, run: WriteRun): Promise<boolean> {
  const exchange = await post(maker, { document: maker.fresh() }, run)
  return exchange !== null && exchange.response.status >= 200 && exchange.response.status < 300
}

async function checkConflict(maker: Maker, run: WriteRun): Promise<void> {
  const { data } = maker.fresh()
  const exchange = await post(maker, { document: { data: { ...data, type: unknownType } } }, run)
  if (exchange === null || isInconclusive(exchange)) return
  run.ledger.expect('create-responses-409-bad-type', exchange.response.status === 409, {
    problem: `${responded(exchange)}, not 409, to a resource of the type '${unknownType}'.`,
    exchange,
  })
  expectDetails(exchange, 'create-responses-409-error-details', run)
}

/** Checks that a 409 response has error details. */
export function expectDetails(exchange: Exchange, statement: StatementId, { ledger }: WriteRun): void {
  if (exchange.response.status !== 409) return
  const { document } = exchange
  const errors =
    isJsonObject(document) && Array.isArray(document['errors']) ? document['errors'].filter(isJsonObject) : []
  const hasDetails = errors.some((error) =>
    ['title', 'detail', 'source', 'code'].some((name) => Object.hasOwn(error, name)),
  )
  ledger.expect(statement, hasDetails, { problem: `${responded(exchange)} without error details.`, exchange })
}

/** Sends requests without required members. Servers need not refuse them, but must not fail. */
async function checkIncomplete(maker: Maker, run: WriteRun): Promise<void> {
  const { type: _type, ...untyped } = maker.fresh().data
  const incomplete: readonly (readonly [StatementId, RequestOptions, string])[] = [
    ['create-single-resource', { document: {} }, 'no primary data'],
    ['create-single-resource', { document: { data: [] } }, 'an array as primary data'],
    ['create-type-member', { document: { data: untyped } }, 'a resource object without a type'],
    ['create-http-semantics', { body: '{"data":' }, 'a body that is not JSON'],
  ]
  for (const [statement, options, content] of incomplete) {
    const exchange = await post(maker, options, run)
    if (exchange === null) return
    expectRefused(exchange, { statement, content }, run)
  }
}

export interface Refused {
  readonly statement: StatementId
  /** The members that the request has or lacks. */
  readonly content: string
}

/** Records whether an invalid request was refused. Errors of the server are recorded elsewhere. */
export function expectRefused(exchange: Exchange, { statement, content }: Refused, { ledger }: WriteRun): void {
  const { status } = exchange.response
  if (isInconclusive(exchange) || status >= 500) return
  ledger.expect(statement, status >= 400, {
    problem: `${responded(exchange)} to a request with ${content}.`,
    exchange,
    severity: 'warning',
  })
}

async function checkMissingRelated(maker: Maker, run: WriteRun): Promise<void> {
  const { data } = maker.fresh()
  const broken = withMissingRelated(data.relationships ?? {}, run)
  if (broken === null) return
  const document = { data: { ...data, relationships: { ...data.relationships, ...broken } } }
  const exchange = await post(maker, { document }, run)
  if (exchange === null || isInconclusive(exchange)) return
  run.ledger.expect('create-responses-404-related', exchange.response.status === 404, {
    problem: `${responded(exchange)}, not 404, to a request with a relationship to a resource that does not exist.`,
    exchange,
  })
}

/** Returns a to-one relationship to a resource that does not exist; `null` if there is no such relationship. */
export function withMissingRelated(relationships: JsonObject, { knowledge, created }: WriteRun): JsonObject | null {
  for (const [name, relationship] of Object.entries(relationships)) {
    const data = isJsonObject(relationship) ? relationship['data'] : null
    const [member] = Array.isArray(data) ? [] : identifiersIn(data)
    if (member === undefined) continue
    const known = [...(knowledge.types.get(member.type)?.resources.keys() ?? []), ...created.map(({ id }) => id)]
    return { [name]: { data: { type: member.type, id: unknownId(member.id, known) } } }
  }
  return null
}

/** https://jsonapi.org/format/1.1/#crud-creating-client-ids */
async function checkClientId(maker: Maker, run: WriteRun): Promise<void> {
  const { data } = maker.fresh()
  const [known] = maker.type.resources.keys()
  const id = known !== undefined && /^[\da-f]{8}-/i.test(known) ? randomUUID() : maker.freshId()
  const document = { data: { ...data, id } }
  const exchange = await post(maker, { document }, run)
  if (exchange === null || isInconclusive(exchange)) return
  const { status } = exchange.response
  if (status === 403) run.ledger.observe('create-client-generated-ids-forbidden')
  if (status < 200 || status > 299 || status === 202) return
  const [created] = isJsonObject(exchange.document) ? identifiersIn(exchange.document['data']) : []
  const isKept = created === undefined ? status === 204 : created.id === id
  if (!isKept) {
    run.ledger.violate('create-client-generated-ids-forbidden', {
      problem: `${responded(exchange)}, and the new resource has the id '${created?.id}' instead of the client-generated '${id}'.`,
      pointer: '/data/id',
      exchange,
    })
    return
  }
  run.ledger.expect('create-responses-204', status === 201 || status === 204, {
    problem: `${responded(exchange)}, not 201 or 204, to a request with a client-generated ID.`,
    exchange,
  })
  const again = await post(maker, { document: { data: { ...maker.fresh().data, id } } }, run)
  if (again === null || isInconclusive(again)) return
  run.ledger.expect('create-responses-409-exists', again.response.status === 409, {
    problem: `${responded(again)}, not 409, to a client-generated ID that exists.`,
    exchange: again,
  })
  expectDetails(again, 'create-responses-409-error-details', run)
}
