import { describe, expect, test } from 'vitest'
import { choosePaginator } from '../../src/declare/pagination/choose-paginator.js'
import type { PageParameters } from '../../src/declare/pagination/page-request.js'
import { cursorPage, fixedPage, numberPage, offsetPage, pageMenu } from '../../src/declare/pagination/paginator.js'
import { thrownProblem } from '../parse/thrown-problem.js'

const sent = (values: Readonly<Record<string, string>> = {}): PageParameters => new Map(Object.entries(values))
const [page, offset, fixed, cursor] = [numberPage(), offsetPage(), fixedPage(), cursorPage()]

describe('the paginator that a request selects', () => {
  test('is the only one, without a menu', () => {
    expect(choosePaginator(page, sent({ kind: 'cursor', after: 'x' }))).toBe(page)
  })

  test('is that of the kind, then that of a key, then the default', () => {
    const menu = pageMenu([page, offset, fixed, cursor], { default: 'fixed' })
    expect(choosePaginator(menu, sent({ kind: 'page', offset: '1' }))).toBe(page)
    expect(choosePaginator(menu, sent({ offset: '1' }))).toBe(offset)
    expect(choosePaginator(menu, sent({ number: '1', size: '1' }))).toBe(fixed)
    expect(choosePaginator(menu, sent())).toBe(fixed)
    expect(choosePaginator(pageMenu([cursor, page]), sent())).toBe(cursor)
  })

  test('of an unknown kind is a problem of the client', async () => {
    const problem = await thrownProblem(() => choosePaginator(pageMenu([page, cursor]), sent({ kind: 'x' })))
    expect(problem).toMatchObject({
      code: 'PAGINATION_KIND_UNKNOWN',
      context: { kind: 'x', kinds: 'page, cursor' },
      source: { parameter: 'page[kind]' },
    })
  })
})

describe('a key', () => {
  test('selects the first of several paginators of its strategy', () => {
    const large = offset.named('large')
    expect(choosePaginator(pageMenu([page, large, offset]), sent({ limit: '1' }))).toBe(large)
  })

  test('that another strategy of the menu reads selects no paginator', () => {
    const byPage = cursorPage({ keys: { after: 'number' } })
    expect(choosePaginator(pageMenu([offset, page, byPage]), sent({ number: '2' }))).toBe(offset)
    expect(choosePaginator(pageMenu([offset, byPage]), sent({ number: '2' }))).toBe(byPage)
  })
})
