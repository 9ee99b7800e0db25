import { describe, expect, test } from 'vitest'
import {
  dataResponse,
  identifierResponse,
  metaResponse,
  noContentResponse,
  resultsResponse,
} from '../../src/serve/operation/response-value.js'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { artists } from './music.js'
import { node, rendered, renderedResults, resources } from './rendered.js'

const extensions = ['https://jsonapi.org/ext/atomic']
const radiohead = node(artists, { id: 7, name: 'Radiohead' })
const member = 'atomic:results'

describe('the results of operations', () => {
  test('are resources, linkage, meta and empty results, each at its index', async () => {
    const identifier = { type: 'albums', id: '1', meta: null }
    const value = resultsResponse(member, [
      dataResponse(resources(radiohead)),
      identifierResponse([identifier]),
      identifierResponse(null),
      metaResponse({ took: 3 }),
      noContentResponse(),
    ])
    const { results } = await renderedResults(value, { extensions })
    expect(results[0]).toEqual({ data: rendered(dataResponse(resources(radiohead))).resource })
    expect(results.slice(1)).toEqual([
      { data: [{ type: 'albums', id: '1' }] },
      { data: null },
      { meta: { took: 3 } },
      {},
    ])
  })

  test('have the meta of their documents, but neither their links nor what they include', async () => {
    const shown = resources(radiohead, { included: [node(artists, { id: 8, name: 'Björk' })] })
    const extras = { meta: { took: 3 }, links: { about: '/x' } }
    const { results, text } = await renderedResults(
      resultsResponse(member, [dataResponse(shown, extras), identifierResponse([], extras)]),
      { extensions },
    )
    expect(results.map((result) => Object.keys(result))).toEqual([
      ['data', 'meta'],
      ['data', 'meta'],
    ])
    expect(text).not.toContain('Björk')
  })

  test('are in a document that names the extension, and has no self link', async () => {
    const { document, headers } = await renderedResults(resultsResponse(member, [noContentResponse()]), { extensions })
    expect(document).toEqual({ 'atomic:results': [{}], jsonapi: { version: '1.1', ext: extensions } })
    expect(headers.get('Content-Type')).toBe('application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"')
  })

  test('apply their profiles to the document', async () => {
    const value = resultsResponse(member, [
      noContentResponse(),
      dataResponse(resources(radiohead), { profiles: [countableProfile.uri] }),
    ])
    expect((await renderedResults(value, { extensions })).document?.jsonapi).toMatchObject({
      profile: [countableProfile.uri],
    })
  })
})
