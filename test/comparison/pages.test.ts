import { cursorPage, fixedPage, hasMany, numberPage, offsetPage, pageMenu } from 'ashlar'
import { expect, test } from 'vitest'
import { albums, albumsInBothDirections, alike, bothDirections, type Members, resource } from './compared.js'

function paged(pagination: unknown): Members {
  return { pagination }
}

const codes = ['page-kind-changed', 'page-key-removed', 'page-key-added', 'page-size-changed', 'page-limit-lowered']

test.each([
  ['number and offset', numberPage(), offsetPage()],
  ['offset and cursor', offsetPage(), cursorPage()],
  ['cursor and number', cursorPage(), numberPage()],
  ['number and a fixed size', numberPage(), fixedPage()],
])('pages by %s are of different kinds', (_name, one, other) => {
  expect(albumsInBothDirections(paged(one), paged(other), ...codes)).toEqual(
    alike('breaking page-kind-changed albums?page'),
  )
})

/** A service with albums of artists. */
function related(pagination: unknown): Members {
  return {
    resources: [
      resource('albums', { pagination }),
      resource('artists', { relations: { albums: hasMany('albums').via('artistId') } }),
    ],
  }
}

test('pages at the addresses of a relation are those of the related type', () => {
  expect(bothDirections(related(numberPage()), related(cursorPage()), ...codes)).toEqual(
    alike('breaking page-kind-changed albums?page'),
  )
})

test('pages where there were none', () => {
  expect(albumsInBothDirections(paged(null), paged(numberPage()))).toEqual({
    forth: ['breaking member-removed GET /albums', 'breaking pages-introduced albums?page'],
    back: ['breaking pages-removed albums?page', 'safe member-added GET /albums'],
  })
})

test('pages of another size', () => {
  expect(albumsInBothDirections(paged(numberPage({ size: 10 })), paged(numberPage({ size: 20 })))).toEqual(
    alike('risky page-size-changed albums?page[size]'),
  )
})

test('pages with another limit', () => {
  const [many, few, any] = [100, 50, 0].map((maxSize) => paged(numberPage({ maxSize })))
  expect(albumsInBothDirections(many ?? {}, few ?? {})).toEqual({
    forth: ['breaking page-limit-lowered albums?page[size]'],
    back: ['safe page-limit-raised albums?page[size]'],
  })
  expect(albumsInBothDirections(any ?? {}, few ?? {}).forth).toEqual(['breaking page-limit-lowered albums?page[size]'])
})

test('pages with other keys', () => {
  expect(albumsInBothDirections(paged(numberPage()), paged(numberPage({ keys: { size: 'count' } })))).toEqual({
    forth: ['breaking page-key-removed albums?page[size]', 'safe page-key-added albums?page[count]'],
    back: ['breaking page-key-removed albums?page[count]', 'safe page-key-added albums?page[size]'],
  })
})

test('pages of several kinds', () => {
  const { forth, back } = albumsInBothDirections(
    paged(pageMenu([numberPage(), cursorPage()])),
    paged(pageMenu([numberPage({ size: 20, maxSize: 50 }), cursorPage(), offsetPage()], { default: 'cursor' })),
  )
  expect(forth).toEqual([
    'breaking page-limit-lowered albums?page[size]',
    'risky default-page-kind-changed albums?page',
    'risky page-size-changed albums?page[size]',
    'safe page-kind-added albums?page',
    'safe page-key-added albums?page[limit]',
    'safe page-key-added albums?page[offset]',
  ])
  expect(back).toContain('breaking page-kind-removed albums?page')
  const menu = paged(pageMenu([numberPage(), cursorPage()]))
  expect(albumsInBothDirections(paged(numberPage()), menu).forth).toContain('safe page-kind-added albums?page')
})

test('pages that are described by one parameter for each key are the same', () => {
  const [deep, flat] = ['deepObject', 'flat'].map((pageParameters) =>
    albums(paged(numberPage()), { openapi: { pageParameters } }),
  )
  expect(bothDirections(deep ?? {}, flat ?? {})).toEqual(alike())
})
