import { documentProblems, testClient } from 'ashlar/testing'
import type { DocumentExpectation } from '../../src/tools/format/inspection/inspect-document.js'
import { describe, expect, test } from 'vitest'

const uri = 'https://jsonapi.org/ext/atomic'
const atomic: DocumentExpectation = { extensions: [uri] }
const album = { type: 'albums', id: '1' }
const full = {
  ...album,
  attributes: { title: 'Kid A' },
  relationships: { artist: { data: { type: 'artists', id: '1' } } },
  links: { self: '/albums/1' },
}

describe('documentProblems() finds nothing wrong with', () => {
  test.each<[string, unknown, DocumentExpectation?]>([
    ['an empty result', { 'atomic:results': [{}] }],
    ['a resource', { 'atomic:results': [{ data: full }] }],
    ['a resource twice', { 'atomic:results': [{ data: full }, { data: full }] }],
    ['linkage', { 'atomic:results': [{ data: [album] }, { data: album }, { data: null }, { data: [] }] }],
    ['meta of a result', { 'atomic:results': [{ meta: { took: 3 } }, { data: full, meta: {} }] }],
    [
      'meta, links and jsonapi together with results',
      { 'atomic:results': [{}], meta: {}, links: { self: '/a' }, jsonapi: {} },
    ],
    ['@-members', { '@a': 1, 'atomic:results': [{ '@b': 1 }] }],
    ['errors of the extension', { errors: [{ status: '422' }] }, { ...atomic, status: 422, kind: 'error' }],
    ['results that were expected', { 'atomic:results': [{}] }, { ...atomic, status: 200, kind: 'results' }],
    ['results of another extension', { 'atomic:results': 5 }, { extensions: ['https://music.example/ext'] }],
  ])('%s', (_name, document, expected = atomic) => {
    expect(documentProblems(document, expected)).toEqual([])
  })
})

describe('documentProblems() finds', () => {
  test.each<[string, unknown, string, DocumentExpectation?]>([
    ['results without the extension', { 'atomic:results': [{}] }, '/atomic:results', { kind: 'results' }],
    ['another document than results', { errors: [{ status: '400' }] }, '', { ...atomic, kind: 'results' }],
    ['neither results nor errors', { meta: {} }, ''],
    ['data together with results', { 'atomic:results': [{}], data: null }, '/data'],
    ['data without results', { data: full }, '/data'],
    ['included together with results', { 'atomic:results': [{}], included: [] }, '/included'],
    ['errors together with results', { 'atomic:results': [{}], errors: [{ status: '400' }] }, '/errors'],
    ['operations together with results', { 'atomic:results': [{}], 'atomic:operations': [] }, '/atomic:operations'],
    ['results that are no list', { 'atomic:results': {} }, '/atomic:results'],
    ['no result at all', { 'atomic:results': [] }, '/atomic:results'],
    ['a result that is no object', { 'atomic:results': [{}, null] }, '/atomic:results/1'],
    ['links of a result', { 'atomic:results': [{ links: {} }] }, '/atomic:results/0/links'],
    ['included resources of a result', { 'atomic:results': [{ included: [] }] }, '/atomic:results/0/included'],
    ['jsonapi of a result', { 'atomic:results': [{ jsonapi: {} }] }, '/atomic:results/0/jsonapi'],
    ['meta of a result that is no object', { 'atomic:results': [{ meta: [] }] }, '/atomic:results/0/meta'],
    ['data of a result that is no resource', { 'atomic:results': [{ data: 5 }] }, '/atomic:results/0/data'],
    ['a resource without an id', { 'atomic:results': [{}, { data: { type: 'a' } }] }, '/atomic:results/1/data'],
    [
      'a fault deep in a resource',
      { 'atomic:results': [{ data: { ...full, relationships: { a: { data: [{ type: 'a' }] } } } }] },
      '/atomic:results/0/data/relationships/a/data/0',
    ],
    ['an id that is no string', { 'atomic:results': [{ data: [{ ...album, id: 1 }] }] }, '/atomic:results/0/data/0/id'],
    ['a list of resources', { 'atomic:results': [{ data: [full] }] }, '/atomic:results/0/data/0/attributes'],
  ])('%s', (_name, document, pointer, expected = atomic) => {
    expect(documentProblems(document, expected)).toContainEqual({ pointer, problem: expect.stringMatching(/\.$/) })
  })
})

const responding = (contentType: string, body: unknown) =>
  testClient({
    handle: async () => ({
      status: 200,
      headers: ['Content-Type', contentType, 'Vary', 'Accept'],
      body: JSON.stringify(body),
    }),
  })

describe('testClient() and results', () => {
  const media = `application/vnd.api+json; ext="${uri}"`
  const body = { 'atomic:results': [{ data: full }, {}], jsonapi: { ext: [uri] } }

  test('are read in their order', async () => {
    expect((await responding(media, body).post('/operations')).results).toEqual([{ data: full }, {}])
  })

  test('are missing if there are none', async () => {
    const response = await responding('application/vnd.api+json', { data: null }).get('/albums/1')
    expect(() => response.results).toThrow('There are no results of operations in this 200 response')
  })

  test.each<[string, string, unknown, RegExp]>([
    ['must name the extension in the Content-Type', 'application/vnd.api+json', body, /none is applied/],
    [
      'must name the same extension twice',
      `${media}; profile="https://a.example/"`,
      { ...body, jsonapi: { ext: [] } },
      /jsonapi\/ext/,
    ],
    ['are checked wherever the extension is applied', media, { 'atomic:results': [5] }, /\/atomic:results\/0/],
    ['are missed if the extension is applied', media, { data: null }, /'atomic:results' or 'errors'/],
  ])('%s', async (_name, contentType, document, problem) => {
    await expect(responding(contentType, document).post('/operations')).rejects.toThrow(problem)
  })
})
