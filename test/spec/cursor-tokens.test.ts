import { cursorPage, pageMenu, numberPage } from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { cursorShelf, endpoints, idsOf, pagedShelf, sentIn } from '../support/paged-albums.js'
import { cursorCipher } from '../../src/declare/pagination/cursor-cipher.js'
import { cursorWith, levelsOf } from '../support/cursor-content.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const text = cursorWith
const token = (content: unknown): string => text(JSON.stringify(content))

function expectStale(response: TestResponse, parameter: string): void {
  expectErrors(response, [{ status: 400, code: 'CURSOR_STALE', parameter }])
}

function expectMalformed(response: TestResponse, parameter: string): void {
  expectErrors(response, [{ status: 400, code: 'CURSOR_MALFORMED', parameter }])
}

describe.each(endpoints)('a cursor, on $name', ({ path }) => {
  const orders = ['', 'title', '-title', 'year', '-year', 'title,year', 'title,-year', 'year,title', '-title,-year']

  test('is bound to the sort columns and directions that it was created for', async () => {
    const api = cursorShelf(2)
    for (const minted of orders) {
      const after = sentIn(await api.get(`${path}?page[size]=2&sort=${minted}`), 'next', 'after')
      for (const sort of orders) {
        const [forward, backward] = [
          await api.get(`${path}?sort=${sort}&page[after]=${after}`),
          await api.get(`${path}?sort=${sort}&page[before]=${after}`),
        ]
        if (sort === minted) expect([forward.status, backward.status]).toEqual([200, 200])
        else {
          expectStale(forward, 'page[after]')
          expectStale(backward, 'page[before]')
        }
      }
    }
  })

  test('is not bound to the parameter by which the same order was requested', async () => {
    const api = cursorShelf(2)
    const after = sentIn(await api.get(`${path}?page[size]=2&sort=title`), 'next', 'after')
    expect((await api.get(`${path}?sort=title,title,-title&page[after]=${after}`)).status).toBe(200)
  })

  test('of a range is checked at either end', async () => {
    const api = cursorShelf(2)
    const stale = sentIn(await api.get(`${path}?page[size]=2&sort=title`), 'next', 'after')
    const fresh = sentIn(await api.get(`${path}?page[size]=2`), 'next', 'after')
    expectStale(await api.get(`${path}?page[after]=${stale}&page[before]=${fresh}`), 'page[after]')
    expectStale(await api.get(`${path}?page[after]=${fresh}&page[before]=${stale}`), 'page[before]')
    expectMalformed(await api.get(`${path}?page[after]=!&page[before]=${fresh}`), 'page[after]')
    expectMalformed(await api.get(`${path}?page[after]=${fresh}&page[before]=!`), 'page[before]')
  })

  test.each([
    ['no base64url', '!'],
    ['a blank', '%20'],
    ['padded', `${token([['id'], [1]])}=`],
    ['of the other alphabet', 'a%2Fb%2B'],
    ['not encrypted', Buffer.from('[["id"],["1"]]').toString('base64url')],
    ['too short', 'AAAA'],
    ['encrypted with another secret', cursorCipher(['a secret of another service']).encrypt('[["id"],["1"]]')],
    ['no JSON', text('[["id"],[1]')],
    ['JSON with something behind it', text('[["id"],[1]] ]')],
    ['nested without end', text('['.repeat(4000))],
    ['of another shape: a number', token(1)],
    ['of another shape: null', token(null)],
    ['of another shape: a text', token('id')],
    ['of another shape: an object', token({ id: 1 })],
    ['of another shape: one list', token(['id', 1])],
    ['of another shape: a list too few', token([['id']])],
    ['of another shape: a list too many', token([['id'], [1], [1]])],
    ['of another shape: more values than columns', token([['id'], [1, 2]])],
    ['of another shape: fewer values than columns', token([['id'], []])],
    ['of another shape: columns that are no names', token([[1], [1]])],
    ['of values that no column holds: a list', token([['id'], [[1]]])],
    ['of values that no column holds: an object', token([['id'], [{}]])],
    ['of values that no column holds: an unknown tag', token([['id'], [{ x: '1' }]])],
    ['of values that no column holds: two tags', token([['id'], [{ n: '1', d: '2000-01-01T00:00:00Z' }]])],
    ['of values that no column holds: no moment', token([['id'], [{ d: 'yesterday' }]])],
    ['of values that no column holds: no whole number', token([['id'], [{ n: '1.5' }]])],
    ['of values that no column holds: a tag without a text', token([['id'], [{ n: 1 }]])],
    ['of values that no column holds: a number beyond all', text('[["id"],[1e999]]')],
  ])('that is %s is CURSOR_MALFORMED, at its parameter', async (_, sent) => {
    const api = cursorShelf(2)
    expectMalformed(await api.get(`${path}?page[after]=${sent}`), 'page[after]')
    expectMalformed(await api.get(`${path}?page[before]=${sent}`), 'page[before]')
  })

  test.each([
    ['a text for a number', 'year', [levelsOf('albums', ['year', 'id']), ['abc', 1]]],
    ['a truth for a number', 'year', [levelsOf('albums', ['year', 'id']), [true, 1]]],
    ['a moment for a number', 'year', [levelsOf('albums', ['year', 'id']), [{ d: '2000-01-01T00:00:00.000Z' }, 1]]],
    ['in the second level', 'title,-year', [levelsOf('albums', ['title', '-year', '-id']), ['x', 'abc', 1]]],
  ])('with a value that its column cannot hold is CURSOR_MALFORMED: %s', async (_, sort, content) => {
    expectMalformed(await cursorShelf(2).get(`${path}?sort=${sort}&page[after]=${token(content)}`), 'page[after]')
  })

  test('that was changed is CURSOR_MALFORMED, whichever character it is', async () => {
    const api = cursorShelf(2)
    const after = sentIn(await api.get(`${path}?page[size]=2`), 'next', 'after')
    for (let index = 0; index < after.length; index += 1) {
      const changed = `${after.slice(0, index)}${after[index] === 'A' ? 'B' : 'A'}${after.slice(index + 1)}`
      expectMalformed(await api.get(`${path}?page[after]=${changed}`), 'page[after]')
    }
    expectMalformed(await api.get(`${path}?page[after]=${after.slice(0, -4)}`), 'page[after]')
  })

  test('of a row that is not there is valid', async () => {
    const after = token([levelsOf('albums', ['year', 'id']), [1990.5, '0']])
    expect(idsOf(await cursorShelf(9).get(`${path}?sort=year&page[after]=${after}`))).toEqual(['3', '4', '5'])
  })

  test('has no meaning for other strategies', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    expect((await pagedShelf(numberPage()).get(`${path}?page[after]=!&page[before]=!`)).status).toBe(200)
  })

  test('is read by a menu that offers cursors, without a kind', async () => {
    const api = pagedShelf(pageMenu([numberPage(), cursorPage()]))
    expectMalformed(await api.get(`${path}?page[after]=!`), 'page[after]')
    expectMalformed(await api.get(`${path}?page[before]=!`), 'page[before]')
  })
})
