import { describe, expect, test } from 'vitest'
import { testClient } from 'ashlar/testing'
import type { Report } from '../../src/tools/verify/report/report.js'
import { verify } from '../../src/tools/verify/verify.js'
import type { StatementId } from '../../src/tools/format/statements/statements.js'
import { document, text } from './changes.js'
import { type Change, handleTransport } from './handle-transport.js'
import { verifiedCatalogue } from './verified-catalogue.js'

const url = 'http://catalogue.test/'

/** Ashlar points to members that are missing, which the format does not want: the one warning that its servers have. */
const missingMember = 'error-source-pointer'

function findingsIn({ statements }: Report) {
  return statements
    .filter(({ id, findings }) => id !== missingMember && findings.length > 0)
    .map(({ id, findings }) => ({ id, findings }))
}

/** Returns everything that the server has. */
async function contentOf(server: ReturnType<typeof verifiedCatalogue>) {
  const client = testClient(server)
  const paths = ['/artists?include=albums', '/albums?include=artist,genres', '/genres']
  return Promise.all(paths.map(async (path) => (await client.get(path)).document))
}

describe('a valid server', () => {
  test('has no failure and no warning, and every possible statement is checked', async () => {
    const server = verifiedCatalogue()
    const before = await contentOf(server)
    const report = await verify({ url, writes: true, strict: true, transport: handleTransport(server) })
    expect(findingsIn(report)).toEqual([])
    expect(report).toMatchObject({
      version: '1.1',
      types: ['albums', 'albums-by-year', 'artists', 'genres'],
      notes: [],
      leftBehind: [],
    })
    expect(report.counts.passed).toBeGreaterThan(143)
    expect(report.openapi).toBe('http://catalogue.test/docs.json')
    // The run has removed what it has created, and changed nothing else.
    expect(await contentOf(server)).toEqual(before)
  })

  test('has the same result without an OpenAPI document: documents are learned from resources and errors', async () => {
    const server = verifiedCatalogue({ isDescribed: false })
    const report = await verify({ url, writes: true, strict: true, transport: handleTransport(server) })
    expect(findingsIn(report)).toEqual([])
    expect(report.openapi).toBe(null)
    const seen = report.statements.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)
    expect(seen).toContain('create-responses-409-exists')
    expect(seen).toContain('crud-atomic')
    expect(seen).toContain('patch-to-many-complete-replace')
  })

  test('gets only safe methods without --write', async () => {
    const methods: string[] = []
    await verify({ url, transport: handleTransport(verifiedCatalogue(), {}, methods) })
    expect(new Set(methods)).toEqual(new Set(['GET', 'HEAD', 'QUERY']))
  })

  test('gets no more requests than are allowed, and the report shows that it is not complete', async () => {
    const methods: string[] = []
    const transport = handleTransport(verifiedCatalogue(), {}, methods)
    const report = await verify({ url, maxRequests: 20, transport })
    expect(methods.length).toBe(20)
    expect(report.requests).toBe(20)
    expect(report.notes).toEqual([
      expect.stringMatching(/^The run is not complete, because at most 20 requests are sent: \d+ links/),
    ])
  })

  test('is cleaned up beyond the limit of requests', async () => {
    const server = verifiedCatalogue()
    const before = await contentOf(server)
    const report = await verify({ url, writes: true, maxRequests: 100, transport: handleTransport(server) })
    expect(report.requests).toBeGreaterThan(100)
    expect(await contentOf(server)).toEqual(before)
  })
})

async function outcomes(by: Change, statements: readonly StatementId[]): Promise<readonly string[]> {
  const transport = handleTransport(verifiedCatalogue({ isDescribed: false }), by)
  const report = await verify({ url, writes: true, statements, transport })
  return report.statements.map(({ outcome }) => outcome)
}

test('a server that becomes unreachable during writes causes no report, but a message that lists the remaining resources', async () => {
  const transport = handleTransport(verifiedCatalogue({ isDescribed: false }))
  let isGone = false
  const leaving: typeof transport = {
    ...transport,
    async send(request, timeout) {
      if (isGone) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      isGone = request.method === 'DELETE'
      return transport.send(request, timeout)
    },
  }
  await expect(verify({ url, writes: true, statements: ['delete-204-status'], transport: leaving })).rejects.toThrow(
    /^No server responds at http:\/\/catalogue\.test: .*\. The last request that it responded to: DELETE .*\. The run has created resources that may be left: http:.*\/artists\/\d+/,
  )
})

describe('not a violation', () => {
  test('members of other documents that have the names of JSON:API', async () => {
    const other = { data: { count: 1 }, errors: [{ message: 'x' }] }
    const changed: Change = {
      response: (response, request) =>
        request.url.includes('2000000000')
          ? { ...response, headers: new Map([['content-type', 'application/json']]), text: JSON.stringify(other) }
          : response,
    }
    expect(await outcomes(changed, ['response-content-type', 'data-errors'])).toEqual(['passed', 'passed'])
  })

  test('an attribute that differs in every response', async () => {
    let count = 0
    const counting = document(/^(?:GET|PATCH) \/artists\/\d+$/, (shown) => {
      count += 1
      shown.data.attributes.views = count
    })
    const statements = ['update-resource-relationship-200-response', 'update-interpret-resource-attributes'] as const
    expect(await outcomes(counting, statements)).toEqual(['passed', 'passed'])
  })

  test('texts that only differ in case, in any order', async () => {
    const tied = document(/^GET \/artists/, (shown) => {
      for (const artist of [shown.data].flat()) {
        if (artist?.attributes) artist.attributes = { name: artist.id === '1' ? 'ABBA' : 'abba' }
      }
    })
    expect(await outcomes(tied, ['sorting-order'])).toEqual(['passed'])
  })

  test('a later version than 1.1, which is checked as 1.1', async () => {
    expect(await outcomes(text('"version":"1.1"', '"version":"1.2"'), ['error-object-status'])).toEqual(['passed'])
    expect(await outcomes(text('"version":"1.1"', '"version":"1.0"'), ['error-object-status'])).toEqual(['not seen'])
  })
})

test('an existing resource is not removed, even if the server reports it as new', async () => {
  const server = verifiedCatalogue({ isDescribed: false })
  const before = await contentOf(server)
  const existing = JSON.stringify({ data: { type: 'albums', id: '1', attributes: {}, links: { self: '/albums/1' } } })
  const echoing: Change = {
    request: (request) => (request.method === 'POST' ? { ...request, method: 'GET', body: null } : request),
    response: (response, request) =>
      request.method === 'POST' ? { ...response, status: 201, text: existing } : response,
  }
  const transport = handleTransport(server, echoing)
  await verify({ url, writes: true, statements: ['create-responses-201-status'], transport })
  expect(await contentOf(server)).toEqual(before)
})

test('resources that cannot be removed are reported', async () => {
  const transport = handleTransport(verifiedCatalogue(), {
    response: (response, request) => (request.method === 'DELETE' ? { ...response, status: 403 } : response),
    request: (request) => (request.method === 'DELETE' ? { ...request, method: 'GET', body: null } : request),
  })
  const { leftBehind } = await verify({ url, writes: true, statements: ['create-responses-201-status'], transport })
  expect(leftBehind.length).toBeGreaterThan(0)
  expect(leftBehind[0]).toMatch(/^http:\/\/catalogue\.test\/\w+\/\w+$/)
})
