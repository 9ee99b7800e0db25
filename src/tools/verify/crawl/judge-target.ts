import { isJsonObject } from '../../format/inspection/document-inspection.js'
import type { StatementId } from '../../format/statements/statements.js'
import { identifiersIn, isSameSet, nameOfRelationship, type RelationshipObject } from '../documents/document-links.js'
import { dataDocument, type Exchange, isInconclusive, isJsonApi, isRefused, responded } from '../exchange/exchange.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Target } from './frontier.js'

/** Checks that the response at an address is what the link to it promises. */
export function judgeTarget(target: Target, exchange: Exchange, ledger: Ledger): void {
  if (isInconclusive(exchange)) {
    ledger.note(`${responded(exchange)}: this response was not judged.`)
    return
  }
  const isRedirect = exchange.response.status >= 300 && exchange.response.status < 400
  if (isRedirect) return
  if (isRefused(exchange)) {
    ledger.note('Some addresses responded 401 or 403, and were not judged: --token and --header pass credentials.')
    return
  }
  switch (target.role) {
    case 'start':
    case 'entry':
    case 'guess':
    case 'described':
      judgeStatus(exchange, ledger)
      return
    case 'document':
      if (target.source !== null) judgeDocumentLink(exchange, target.source, ledger)
      return
    case 'resource':
      judgeResourceLink(exchange, target.resource, ledger)
      return
    case 'relationship':
      judgeRelationshipLink(exchange, target.relationship, ledger)
      return
    case 'related':
      judgeRelatedLink(exchange, target.relationship, ledger)
      return
    case 'page':
      ledger.expect('pagination-unavailable-link', exchange.response.status === 200, {
        problem: `${responded(exchange)}, although the document has the link '${target.name}'.`,
        exchange,
      })
      judgeStatus(exchange, ledger)
  }
}

/** Checks that a successful read has the status 200. */
function judgeStatus(exchange: Exchange, ledger: Ledger, statement: StatementId = 'fetch-response-code'): void {
  const { status } = exchange.response
  if (status < 200 || status > 299 || !isJsonApi(exchange)) return
  ledger.expect(statement, status === 200, { problem: `${responded(exchange)}, not 200.`, exchange })
}

function isFetched(exchange: Exchange, link: string, statements: readonly StatementId[], ledger: Ledger): boolean {
  const isSuccess = exchange.response.status >= 200 && exchange.response.status < 300
  for (const statement of statements) {
    ledger.expect(statement, isSuccess, {
      problem: `${responded(exchange)}, although it is ${link}.`,
      exchange,
    })
  }
  return isSuccess
}

function judgeDocumentLink(exchange: Exchange, source: Exchange, ledger: Ledger): void {
  if (!isFetched(exchange, "a top-level link 'self'", ['fetch-url-support'], ledger)) return
  judgeStatus(exchange, ledger)
  const [fetched, other] = [dataDocument(exchange), dataDocument(source)]
  if (fetched === null || other === null) return
  const isSame = isSameSet(identifiersIn(fetched['data']), identifiersIn(other['data']))
  ledger.expect('top-level-links', isSame, {
    problem: `${responded(exchange)} with other primary data than ${responded(source)}, which has it as the link 'self'.`,
    exchange,
  })
}

/** https://jsonapi.org/format/1.1/#document-resource-object-links */
function judgeResourceLink(
  exchange: Exchange,
  { type, id }: { readonly type: string; readonly id: string },
  ledger: Ledger,
): void {
  const link = `the link 'self' of the resource '${type}' '${id}'`
  if (!isFetched(exchange, link, ['fetch-url-support', 'resource-link-response'], ledger)) return
  judgeStatus(exchange, ledger)
  const data = dataDocument(exchange)?.['data']
  const isSingle = isJsonObject(data)
  ledger.expect('fetch-primary-data-single', isSingle, {
    problem: `${responded(exchange)} without a resource object as primary data, although it is ${link}.`,
    exchange,
  })
  if (!isSingle) return
  ledger.expect('resource-link-response', data['type'] === type && data['id'] === id, {
    problem: `${responded(exchange)} with the resource '${String(data['type'])}' '${String(data['id'])}', although it is ${link}.`,
    pointer: '/data',
    exchange,
  })
}

/** https://jsonapi.org/format/1.1/#fetching-relationships */
function judgeRelationshipLink(exchange: Exchange, relationship: RelationshipObject, ledger: Ledger): void {
  const { data } = relationship
  const link = `the link 'self' of ${nameOfRelationship(relationship)}`
  const isEmpty = data === null || (Array.isArray(data) && data.length === 0)
  const statements: StatementId[] = ['fetch-relationships']
  if (isEmpty) statements.push('fetch-relationships-response-exists-empty')
  if (!isFetched(exchange, link, statements, ledger)) return
  judgeStatus(exchange, ledger, 'fetch-relationships-response-200')
  const document = dataDocument(exchange)
  if (data === undefined || document === null) return
  const fetched = document['data']
  const statement = 'fetch-relationships-response-200-primary-data'
  const isSameForm = Array.isArray(fetched) === Array.isArray(data)
  ledger.expect(statement, isSameForm, {
    problem: `${responded(exchange)} with ${formOf(fetched)}, but the linkage of ${nameOfRelationship(relationship)} is ${formOf(data)}.`,
    pointer: '/data',
    exchange,
  })
}

/** https://jsonapi.org/format/1.1/#document-resource-object-related-resource-links */
function judgeRelatedLink(exchange: Exchange, relationship: RelationshipObject, ledger: Ledger): void {
  const { data } = relationship
  const link = `the link 'related' of ${nameOfRelationship(relationship)}`
  if (!isFetched(exchange, link, ['fetch-url-support', 'resource-related-resource-link'], ledger)) return
  judgeStatus(exchange, ledger)
  const document = dataDocument(exchange)
  if (data === undefined || document === null) return
  const fetched = document['data']
  const isToMany = Array.isArray(data)
  const statements: readonly StatementId[] = isToMany
    ? ['logical-collection', 'fetch-primary-data-collection']
    : ['fetch-primary-data-single']
  const isSameForm = Array.isArray(fetched) === isToMany
  for (const statement of statements) {
    ledger.expect(statement, isSameForm, {
      problem: `${responded(exchange)} with ${formOf(fetched)}, but the linkage of ${nameOfRelationship(relationship)} is ${formOf(data)}.`,
      pointer: '/data',
      exchange,
    })
  }
}

function formOf(data: unknown): string {
  if (Array.isArray(data)) return 'an array'
  return data === null ? 'null' : 'an object'
}
