import { describe, expect, expectTypeOf, test } from 'vitest'
import { json, scriptedServer } from './scripted-server.js'

/** Returns the parameters of the next page after a response with a link. */
async function nextPageAfter(next: unknown): Promise<unknown> {
  const { albums } = scriptedServer([json({ data: [], links: { next } })])
  return (await albums.list()).nextPage
}

describe('the parameters of another page', () => {
  test.each<[string, unknown, object]>([
    ['a number and a size', '/records?sort=id&page%5Bnumber%5D=2&page%5Bsize%5D=10', { number: 2, size: 10 }],
    ['an offset', { href: 'https://music.example/records?page[offset]=0&page[limit]=5' }, { offset: 0, limit: 5 }],
    ['a cursor of a menu', '?page[kind]=cursor&page[size]=5&page[after]=Mw', { kind: 'cursor', size: 5, after: 'Mw' }],
    ['cursors of digits, which are texts', '?page[after]=12&page[before]=7', { after: '12', before: '7' }],
    [
      'digits that no number has',
      '?page[token]=0012&page[id]=12345678901234567890',
      { token: '0012', id: '12345678901234567890' },
    ],
  ])('are those of its link: %s', async (_title, link, parameters) => {
    expect(await nextPageAfter(link)).toEqual(parameters)
  })

  test.each([undefined, null, { meta: {} }])('are null without a link: %j', async (link) => {
    expect(await nextPageAfter(link)).toBeNull()
  })

  test('are good for the same query again, in both directions, and can be cloned', async () => {
    const { albums, sent } = scriptedServer([
      json({ data: [], links: { prev: '?page[number]=1', next: '?filter[slug]=x&page[number]=3' } }),
      json({ data: [] }),
      json({ data: [] }),
    ])
    const { nextPage, previousPage } = await albums.list()
    expectTypeOf(nextPage).toEqualTypeOf<{ number?: number | undefined } | null>()
    expect(structuredClone(nextPage)).toEqual({ number: 3 })
    if (nextPage !== null) await albums.list({ page: nextPage })
    if (previousPage !== null) await albums.list({ page: previousPage })
    expect(sent.slice(1).map(({ url }) => decodeURIComponent(url))).toEqual([
      'https://music.example/records?page[number]=3',
      'https://music.example/records?page[number]=1',
    ])
  })

  test('of members of a relation are those of the relation', async () => {
    const links = { next: '?page[number]=2' }
    const { albums } = scriptedServer([json({ data: [], links }), json({ data: [], links })])
    const related = await albums.related('1', 'tracks')
    const linkage = await albums.linkage('1', 'tracks')
    expectTypeOf(related.nextPage).toEqualTypeOf<{ number?: number | undefined } | null>()
    expectTypeOf(linkage.nextPage).toEqualTypeOf<{ number?: number | undefined } | null>()
    expect([related.nextPage, linkage.nextPage]).toEqual([{ number: 2 }, { number: 2 }])
  })
})
