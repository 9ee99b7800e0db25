import { describe, expect, test } from 'vitest'
import { pageParameters, pageQueries, queryPair } from '../../src/declare/pagination/page-url.js'

const pageQuery = pageQueries()

const second = new Map([['number', '2']])

describe('the query of another page', () => {
  test.each([
    ['', 'page%5Bnumber%5D=2'],
    ['sort=-title,id', 'sort=-title,id&page%5Bnumber%5D=2'],
    ['page[number]=1', 'page%5Bnumber%5D=2'],
    ['page%5Bsize%5D=3&sort=title', 'sort=title&page%5Bnumber%5D=2'],
    ['p%61ge%5bsize]=3', 'page%5Bnumber%5D=2'],
    ['page[a][b]=1&page[]=2&page[x]', 'page%5Bnumber%5D=2'],
    ['pages[x]=1&page=1', 'pages%5Bx%5D=1&page=1&page%5Bnumber%5D=2'],
    ['filter[a]=page[number]=1', 'filter%5Ba%5D=page%5Bnumber%5D=1&page%5Bnumber%5D=2'],
    ['&&a=1&&', 'a=1&page%5Bnumber%5D=2'],
    ['a=%5B+%26', 'a=%5B+%26&page%5Bnumber%5D=2'],
  ])('%s', (raw, query) => {
    expect(pageQuery(raw, second)).toBe(query)
  })

  test('is what the client wrote, if the page sets nothing', () => {
    expect(pageQuery('page[after]=x&sort=title', new Map())).toBe('sort=title')
    expect(pageQuery('page[after]=x', new Map())).toBe('')
  })
})

describe('a pair', () => {
  test('is valid in a URI, with any texts', () => {
    expect(pageParameters(new Map([['a&b', 'c=d é']]))).toEqual(['page%5Ba%26b%5D=c%3Dd%20%C3%A9'])
    expect(queryPair('sort', '\ud800')).toBe('sort=%EF%BF%BD')
  })
})
