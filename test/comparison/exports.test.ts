import { bytes, hasMany } from 'ashlar'
import { expect, test } from 'vitest'
import { acting, albumsInBothDirections, bothDirections, oneAttribute, resource } from './compared.js'

const exported = (...formats: readonly string[]) => ({ attributes: oneAttribute, export: { formats } })
const limited = (maxRows: number) => ({ attributes: oneAttribute, export: { maxRows } })
const responding = (type: string) => acting({ responds: bytes(type) }, { attributes: oneAttribute })

const withTracks = (...formats: readonly string[]) => ({
  resources: [
    resource('albums', { attributes: oneAttribute, relations: { tracks: hasMany('tracks').via('albumId') } }),
    resource('tracks', exported(...formats)),
  ],
})

test('formats of an export that are gone or new', () => {
  expect(albumsInBothDirections(exported('ndjson', 'csv'), exported('ndjson'))).toEqual({
    forth: ['breaking export-format-removed GET /albums'],
    back: ['safe export-format-added GET /albums'],
  })
})

test('an export that is gone or new', () => {
  expect(albumsInBothDirections(exported('csv'), { attributes: oneAttribute })).toEqual({
    forth: ['breaking export-format-removed GET /albums', 'risky response-header-removed GET /albums'],
    back: ['safe export-format-added GET /albums', 'safe response-header-added GET /albums'],
  })
})

test('flat objects, which clients of application/json get in place of a document', () => {
  expect(albumsInBothDirections(exported('csv', 'json'), exported('csv'))).toEqual({
    forth: ['breaking response-media-type-removed GET /albums'],
    back: ['risky response-media-type-added GET /albums'],
  })
})

test('formats of related resources', () => {
  // The same change of all lists of a service is one line.
  expect(bothDirections(withTracks('csv', 'ndjson'), withTracks('ndjson'))).toEqual({
    forth: ['breaking export-format-removed service'],
    back: ['safe export-format-added service'],
  })
})

test('bytes of an action, which are no export', () => {
  const { forth } = albumsInBothDirections(responding('image/png'), responding('text/csv'))
  expect(forth.map((line) => line.split(' ')[1])).toEqual(['response-media-type-removed', 'response-media-type-added'])
})

test('exports of fewer rows', () => {
  expect(albumsInBothDirections(limited(500), limited(100))).toEqual({
    forth: ['breaking limit-lowered GET /albums'],
    back: ['safe limit-raised GET /albums'],
  })
})
