import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter } from 'ashlar/testing'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { client } from '../../../support/client.js'

const tracks = defineResource('tracks', {
  model: table<{ id: number; title: string; seconds: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string(), seconds: a.integer() }),
  filters: (f) => ({ title: f.where() }),
  aggregates: (g) => ({
    'by-title': g.fields({ title: g.by(), tracks: g.count(), seconds: g.sum(), longest: g.max('seconds') }),
    large: g.fields({ title: g.by(), tracks: g.count() }).minGroupSize(2),
  }),
})

test('an aggregate takes one statement, and one more to count groups or to find small ones', async () => {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec(
    "create table tracks (id integer primary key, title text not null, seconds integer not null); insert into tracks values (1, 'Airbag', 280), (2, 'Lucky', 260), (3, 'Lucky', 250)",
  )
  const counter = statementCounter()
  const server = createServer({
    resources: [tracks],
    data: sqlData(database, { onStatement: counter.onStatement }),
    access: 'open',
  })
  const api = client(server)
  await api.get('/tracks')
  const countable = {
    Accept: 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"',
  }
  const statements = async (path: string, headers = {}) =>
    (await counter.during(() => api.get(`/tracks/-aggregates/${path}`, { headers }))).map(({ sql }) => sql)
  expect(await statements('by-title?sort=-seconds&filter[title]=Lucky')).toEqual([
    'select "g"."c0", "g"."c1", cast("g"."c2" as text), cast("g"."c3" as text), "g"."c4" from (select "t0"."title" collate binary as "c0", count(*) as "c1", (sum("t0"."seconds" >> 32) + (sum("t0"."seconds" & 4294967295) >> 32)) as "c2", (sum("t0"."seconds" & 4294967295) & 4294967295) as "c3", max("t0"."seconds") as "c4", count(*) as "n" from "tracks" as "t0" where "t0"."title" = ? group by 1) as "g" order by "g"."c2" desc nulls first, "g"."c3" desc nulls first, "g"."c0" collate binary asc nulls last limit ? offset ?',
  ])
  expect(await statements('by-title?fields[tracks-by-title]=title')).toEqual([
    'select "g"."c0" from (select "t0"."title" collate binary as "c0", count(*) as "n" from "tracks" as "t0" group by 1) as "g" order by "g"."c0" collate binary asc nulls last limit ? offset ?',
  ])
  expect(await statements('by-title?withCount=_self_', countable)).toHaveLength(2)
  expect(await statements('large')).toHaveLength(2)
})
