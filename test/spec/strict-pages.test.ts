import { cursorPage, fixedPage, numberPage, offsetPage, pageMenu } from 'ashlar'
import { relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'
import { endpoints, idsOf, linkTo, shelf } from '../support/paged-albums.js'

exemptFromDescription('queries', 'The tests send keys that the document does not have.')

function strictShelf(pagination: AnyPaginator | null, strictPages = true): TestClient {
  return shelf({ pagination, relation: pagination, settings: { strictPages } })
}

async function refuses(api: TestClient, target: string, key: string, offered: string): Promise<void> {
  const parameter = key.includes(']') ? key : `page[${key}]`
  const response = await api.get(target)
  expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter }])
  expect(response.document?.errors?.[0]?.detail).toBe(
    `The query parameter '${parameter}' is not recognized by this endpoint. Offered: ${offered}.`,
  )
}

describe('with strictPages, a key of page that the list does not read', () => {
  test.each(endpoints)('is 400 at $name, with the keys on offer', async ({ path }) => {
    await refuses(strictShelf(numberPage()), `${path}?page[offset]=3`, 'offset', 'page[number], page[size]')
    await refuses(strictShelf(fixedPage()), `${path}?page[number]=1&page[size]=3`, 'size', 'page[number]')
    await refuses(strictShelf(offsetPage()), `${path}?page[number]=2`, 'number', 'page[offset], page[limit]')
    const renamed = strictShelf(offsetPage({ keys: { limit: 'count' } }))
    await refuses(renamed, `${path}?page[limit]=2`, 'limit', 'page[offset], page[count]')
    await refuses(
      strictShelf(cursorPage()),
      `${path}?page[kind]=cursor`,
      'kind',
      'page[size], page[after], page[before]',
    )
    await refuses(strictShelf(null), `${path}?page[size]=2`, 'size', 'nothing')
  })

  test.each(endpoints)('of a menu is one that none of its paginators reads, at $name', async ({ path }) => {
    const api = strictShelf(pageMenu([numberPage(), offsetPage()]))
    const offered = 'page[kind], page[number], page[size], page[offset], page[limit]'
    await refuses(api, `${path}?page[after]=x`, 'after', offered)
    expect(idsOf(await api.get(`${path}?page[offset]=3&page[limit]=1`))).toEqual(['4'])
    expect(idsOf(await api.get(`${path}?page[kind]=page&page[size]=1`))).toEqual(['1'])
  })

  test('may be empty or nested', async () => {
    const api = strictShelf(numberPage())
    await refuses(api, '/albums?page[]=2', 'page[]', 'page[number], page[size]')
    await refuses(api, '/albums?page[number][]=2', 'page[number][]', 'page[number], page[size]')
    await refuses(api, '/albums?page[number][gt]=2', 'page[number][gt]', 'page[number], page[size]')
  })

  test('is 400 in a polymorphic related collection', async () => {
    const api = client(catalogueServer({ strictPages: true }))
    await refuses(api, '/libraries/1/items?page[offset]=1', 'offset', 'page[number], page[size]')
  })

  test('is any key in relatedQuery, because only the first page is shown there', async () => {
    const api = strictShelf(numberPage())
    const headers = { Accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"` }
    for (const family of ['relatedQuery', 'rQ']) {
      const response = await api.get(`/artists/1?${family}[albums][page][number]=2`, { headers })
      const parameter = `${family}[albums][page][number]`
      expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter }])
    }
    expect((await api.get('/artists/1?rQ[albums][sort]=title', { headers })).status).toBe(200)
  })

  test('does not make values strict', async () => {
    const api = strictShelf(numberPage())
    expect(idsOf(await api.get('/albums?page[number]=abc&page[size]=-'))).toHaveLength(5)
  })

  test('is in no link of the server: every page can be followed', async () => {
    for (const paginator of [numberPage({ size: 2 }), offsetPage({ size: 2 }), cursorPage({ size: 2 })]) {
      for (const pagination of [
        paginator,
        pageMenu([fixedPage({ size: 3 }), paginator], { default: paginator.kind }),
      ]) {
        const api = strictShelf(pagination)
        for (const { path } of endpoints) {
          const second = await api.get(linkTo(await api.get(`${path}?sort=id`), 'next') ?? '')
          expect(idsOf(second)).toEqual(['3', '4'])
        }
      }
    }
  })
})

test('without strictPages, such a key changes nothing', async () => {
  const api = strictShelf(numberPage({ size: 2 }), false)
  for (const { path } of endpoints) {
    for (const query of ['page[offset]=3', 'page[]=2', 'page[number][]=2', 'page[kind]=offset']) {
      expect(idsOf(await api.get(`${path}?${query}&sort=id`))).toEqual(['1', '2'])
    }
  }
})
