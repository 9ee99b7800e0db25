import { defineType, id } from 'ashlar'
import type { Kysely } from 'kysely'
import { withToken } from '../access/policies.js'
import type { Tables } from '../tables.js'

const places = 10

/** The most played tracks of each month, computed for each request. */
export const charts = (db: Kysely<Tables>) =>
  defineType('charts', {
    description: 'The most played tracks of each month.',
    fields: () => ({ month: id() }),
    serializer: {
      members: {
        plays: { type: 'integer' },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              place: { type: 'integer' },
              track: { type: 'string' },
              title: { type: 'string' },
              plays: { type: 'integer' },
            },
            required: ['place', 'track', 'title', 'plays'],
          },
        },
      },
      serialize: ({ month, plays, entries }) => ({ id: String(month), attributes: { plays, entries } }),
    },
    provider: {
      async fetchOne(_type, month) {
        const [chart] = await chartsOf(db, month)
        return chart ?? null
      },
      fetchCollection: () => chartsOf(db),
    },
    policy: withToken,
    operations: ['FetchCollection', 'FetchOne'],
    selfLink: false,
  })

/** Reads the charts by one statement, which returns only the first places of each month. */
async function chartsOf(db: Kysely<Tables>, month?: string) {
  const ranked = db
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.trackId')
    .select(({ fn }) => [
      'month',
      'tracks.id as track',
      'title',
      'times',
      fn
        .agg<number | string>('row_number')
        .over((o) => o.partitionBy('month').orderBy('times', 'desc').orderBy('tracks.id'))
        .as('place'),
      fn
        .sum<number | string>('times')
        .over((o) => o.partitionBy('month'))
        .as('plays'),
    ])
    .$if(month !== undefined, (all) => all.where('month', '=', month ?? ''))
  const listed = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', places)
    .orderBy('month')
    .orderBy('place')
    .execute()
  const found = new Map<string, { month: string; plays: number; entries: object[] }>()
  for (const { month: key, plays, place, track, title, times } of listed) {
    const chart = found.get(key) ?? { month: key, plays: Number(plays), entries: [] }
    found.set(key, chart)
    chart.entries.push({ place: Number(place), track: String(track), title, plays: times })
  }
  return [...found.values()]
}
