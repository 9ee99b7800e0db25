import { expect, test } from 'vitest'
import { inCasing, plural, pluralWords, singular, wordsOf } from '../../src/tools/pull/plan/words.js'

test.each([
  ['Order Details', 'order details'],
  ['order_details', 'order details'],
  ['OrderDetails', 'order details'],
  ['ORDER_DETAILS', 'order details'],
  ['HTTPServer', 'http server'],
  ['imageURL', 'image url'],
  ['AlbumID', 'album id'],
  ['line2', 'line2'],
  ['% of total', 'of total'],
  ['größe', 'größe'],
  ['__meta__', 'meta'],
])('%s is %s', (name, words) => {
  expect(wordsOf(name).join(' ')).toBe(words)
})

test('casings', () => {
  const words = wordsOf('UnitPrice')
  expect(inCasing(words, 'camelCase')).toBe('unitPrice')
  expect(inCasing(words, 'snake_case')).toBe('unit_price')
  expect(inCasing(words, 'kebab-case')).toBe('unit-price')
})

test.each([
  ['album', 'albums'],
  ['category', 'categories'],
  ['address', 'addresses'],
  ['status', 'statuses'],
  ['box', 'boxes'],
  ['person', 'people'],
  ['child', 'children'],
  ['staff', 'staff'],
  ['series', 'series'],
  ['day', 'days'],
  ['bus', 'buses'],
  ['hero', 'heroes'],
  ['photo', 'photos'],
  ['movie', 'movies'],
  ['purchase', 'purchases'],
  ['company', 'companies'],
  ['analysis', 'analyses'],
  ['detail', 'details'],
  ['class', 'classes'],
  ['archived', 'archived'],
  ['seed', 'seeds'],
])('%s, %s', (one, many) => {
  expect(plural(one)).toBe(many)
  expect(singular(many)).toBe(one)
  expect(singular(one)).toBe(one)
})

test('only the last word is in the plural', () => {
  expect(pluralWords(wordsOf('Order Detail'))).toEqual(['order', 'details'])
})
