import { describe, expect, test } from 'vitest'
import { type StatementId, statementIds } from '../../src/tools/format/statements/statements.js'
import { judgeResponse } from '../../src/tools/verify/documents/judge-response.js'
import { exchangeOf } from '../../src/tools/verify/exchange/exchange.js'
import { createLedger } from '../../src/tools/verify/ledger/ledger.js'
import { album, type Circumstances, documentFaults, withAttributes, withLinks } from './document-faults.js'

/** Returns the statements that a response violates. */
function violations(
  document: unknown,
  { status = 200, isLinkage = false }: Circumstances = {},
): readonly StatementId[] {
  const ledger = createLedger(new Set(statementIds))
  const exchange = exchangeOf(
    { method: 'GET', url: 'http://catalogue.test/albums', headers: {}, body: null },
    {
      status,
      headers: new Map([['content-type', 'application/vnd.api+json']]),
      text: typeof document === 'string' ? document : JSON.stringify(document),
    },
  )
  judgeResponse(exchange, { isDocument: true, isLinkage }, ledger)
  return statementIds.filter((id) => ledger.entry(id).findings.length > 0)
}

describe('a document violates', () => {
  test.each(
    documentFaults.map(([statement, document, circumstances = {}]) => ({ statement, document, circumstances })),
  )('$statement: $document', ({ statement, document, circumstances }) => {
    expect(violations(document, circumstances)).toContain(statement)
  })
})

test.each([
  ['an empty collection', { data: [] }],
  ['names with every allowed character', withAttributes({ 'a-b_c': 1, B9: null })],
  ['@-members anywhere', { '@a': 1, data: { '@b': 1, ...album, attributes: { '@c': 1 } } }],
  ['every form of a link', withLinks({ self: '/a?b=%5Bc%5D', related: { href: '/x', hreflang: ['en'] }, next: null })],
  ['an attribute that only looks like a key', withAttributes({ artist_id: 7 })],
])('%s violates nothing', (_name, document) => {
  expect(violations(document)).toEqual([])
})
