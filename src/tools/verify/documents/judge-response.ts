import { MEDIA_TYPE, uriList } from '../../../core/document/media-type.js'
import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { type DocumentExpectation, inspectDocument } from '../../format/inspection/inspect-document.js'
import type { StatementId } from '../../format/statements/statements.js'
import { type Exchange, isJsonApi, responded, type SentRequest, sentQuery } from '../exchange/exchange.js'
import type { Ledger } from '../ledger/ledger.js'
import { adviseOnDocument } from './document-advice.js'
import { identifiersIn } from './document-links.js'

/** Expectations of a response. */
export interface ResponseExpectation {
  /** Whether the address must respond with linkage. Default: any primary data. */
  readonly isLinkage?: boolean
  /** Whether a successful response must be a JSON:API document: the address is one of JSON:API. Default: false. */
  readonly isDocument?: boolean
  /** The statement about HTTP that the response is checked against. Default: that of fetching resources. */
  readonly semantics?: StatementId
}

/**
 * Checks a response against all statements about responses and documents, whatever was requested. A response that is no
 * JSON:API document is only judged if it must be one.
 */
export function judgeResponse(exchange: Exchange, expected: ResponseExpectation, ledger: Ledger): void {
  if (exchange.failure !== null) return
  judgeSemantics(exchange, expected.semantics ?? 'fetch-responses-http-semantics', ledger)
  const { response, document, request } = exchange
  if (request.method === 'HEAD' || response.text === '') return
  const isSuccess = response.status >= 200 && response.status < 300
  if (!isJsonApi(exchange)) {
    // Servers may respond to errors in any other form. A JSON:API document must have the media type of JSON:API.
    const isAlike = looksLikeJsonApi(document)
    if (isAlike || (isSuccess && expected.isDocument === true)) {
      ledger.violate('response-content-type', {
        problem: `${responded(exchange)} with ${typeText(exchange)}.`,
        exchange,
      })
    }
    if (!isAlike) return
  } else judgeMediaType(exchange, ledger)
  judgeDocument(exchange, expected, ledger)
}

/** Returns whether a document has resources or errors of JSON:API, and not only members of the same names. */
function looksLikeJsonApi(document: unknown): boolean {
  if (!isJsonObject(document)) return false
  const [resource] = identifiersIn(document['data'])
  const errors: readonly unknown[] = Array.isArray(document['errors']) ? document['errors'] : []
  const members = ['status', 'code', 'title', 'detail', 'source']
  const isError = (error: unknown): boolean => isJsonObject(error) && members.some((name) => Object.hasOwn(error, name))
  return resource !== undefined || (errors.length > 0 && errors.every(isError))
}

function typeText({ response }: Exchange): string {
  const sent = response.headers.get('content-type')
  return sent === undefined ? 'no Content-Type' : `Content-Type: ${sent}`
}

/** https://jsonapi.org/format/1.1/#content-negotiation-servers */
function judgeMediaType(exchange: Exchange, ledger: Ledger): void {
  const { mediaTypes, response } = exchange
  const [mediaType] = mediaTypes
  const extra = mediaType?.parameters.filter(({ name }) => name !== 'ext' && name !== 'profile') ?? []
  const isPlain = mediaTypes.length === 1 && mediaType?.name === MEDIA_TYPE && !mediaType.malformed
  ledger.expect('response-content-type', isPlain && extra.length === 0, {
    problem: `${responded(exchange)} with ${typeText(exchange)}.`,
    exchange,
  })
  const isApplied = mediaType?.parameters.some(({ name }) => name === 'ext' || name === 'profile') ?? false
  const varies = (response.headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  const hasVary = varies.includes('accept') || varies.includes('*')
  if (isApplied || hasVary) {
    ledger.expect('vary-accept', hasVary, { problem: `${responded(exchange)} without Vary: Accept.`, exchange })
  }
}

function judgeDocument(exchange: Exchange, { isLinkage = false }: ResponseExpectation, ledger: Ledger): void {
  const { document, response, mediaTypes, request } = exchange
  if (document === undefined) {
    ledger.violate('json-object', { problem: `${responded(exchange)} with a body that is not JSON.`, exchange })
    return
  }
  const expected: DocumentExpectation = {
    status: response.status,
    extensions: mediaTypes.flatMap((mediaType) => uriList(mediaType, 'ext')),
    fieldsets: fieldsetsOf(request),
    ...(isLinkage && response.status === 200 ? { kind: 'identifier' } : {}),
  }
  const { problems, seen } = inspectDocument(document, expected)
  const violated = new Set<StatementId>()
  for (const { statement, pointer, problem, since } of problems) {
    if (statement === null) continue
    violated.add(statement)
    ledger.violate(statement, { problem, pointer, exchange, ...(since === undefined ? {} : { since }) })
    if (statement === 'resource-id-type') {
      // Two statements of the list have the same meaning.
      ledger.violate('resource-required-top-level', { problem, pointer, exchange })
      violated.add('resource-required-top-level')
    }
  }
  ledger.observe(...[...seen].filter((statement) => !violated.has(statement)))
  adviseOnDocument(exchange, ledger)
}

/** Returns the types of the sparse fieldsets of a request. */
function fieldsetsOf(request: SentRequest): readonly string[] {
  return [...sentQuery(request).keys()].flatMap((name) => /^fields\[([^\]]+)\]$/.exec(name)?.[1] ?? [])
}

/** Checks the headers that RFC 9110 requires in the responses 401 and 405. */
function judgeSemantics(exchange: Exchange, statement: StatementId, ledger: Ledger): void {
  const { status, headers } = exchange.response
  const missing = status === 405 ? 'Allow' : status === 401 ? 'WWW-Authenticate' : null
  const isMissing = missing !== null && !headers.has(missing.toLowerCase())
  ledger.expect(statement, !isMissing, {
    problem: `${responded(exchange)} without the header ${missing}, which RFC 9110 requires.`,
    exchange,
  })
}
