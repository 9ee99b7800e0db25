import type { AggregateKit } from 'ashlar'
import { expect, test } from 'vitest'
import { albumsInBothDirections, alike, type Kit } from './compared.js'

type Aggregates = AggregateKit<'title' | 'plays', never>

const attributes = (a: Kit) => ({ title: a.string(), plays: a.integer() })
const withAggregates = (aggregates: (g: Aggregates) => object) => ({ attributes, aggregates })
const byTitle = withAggregates((g) => ({ 'by-title': g.fields({ title: g.by(), albums: g.count(), plays: g.sum() }) }))

const measured = (plays: (g: Aggregates) => unknown) =>
  withAggregates((g) => ({ 'by-title': g.fields({ title: g.by(), plays: plays(g) as never }) }))

test('aggregates that are gone or new', () => {
  expect(albumsInBothDirections(byTitle, { attributes })).toEqual({
    forth: ['breaking type-removed albums-by-title'],
    back: ['safe type-added albums-by-title'],
  })
})

test('measures that are gone or new, with their sort keys', () => {
  const fewer = withAggregates((g) => ({ 'by-title': g.fields({ title: g.by(), albums: g.count() }) }))
  const { forth, back } = albumsInBothDirections(byTitle, fewer)
  expect(forth).toContain('breaking member-removed albums-by-title.plays')
  expect(forth.filter((line) => line.startsWith('breaking sort-removed'))).toHaveLength(1)
  expect(back.filter((line) => line.startsWith('breaking'))).toEqual([])
})

test('measures of another type', () => {
  const average = withAggregates((g) => ({
    'by-title': g.fields({ title: g.by(), albums: g.count(), plays: g.max('title') }),
  }))
  const { forth } = albumsInBothDirections(byTitle, average)
  expect(forth.filter((line) => line.startsWith('breaking'))).not.toEqual([])
})

test('groups by other fields are a break, although they are new fields', () => {
  const byBoth = withAggregates((g) => ({
    'by-title': g.fields({ title: g.by(), year: g.by('plays'), albums: g.count(), plays: g.sum() }),
  }))
  const { forth, back } = albumsInBothDirections(byTitle, byBoth, 'groups-changed', 'measure-changed')
  expect(forth).toEqual(['breaking groups-changed GET /albums/-aggregates/by-title'])
  expect(back).toEqual(forth)
})

test('measures of another function with values of the same type', () => {
  expect(
    albumsInBothDirections(
      measured((g) => g.max()),
      measured((g) => g.min()),
    ),
  ).toEqual(alike('breaking measure-changed albums-by-title.plays'))
})
