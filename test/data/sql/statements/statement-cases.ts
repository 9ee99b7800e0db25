import { statementCounter } from 'ashlar/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { cursorAt } from '../../../support/music-cursors.js'
import { musicEngines } from '../../../support/music-engines.js'
import { musicServer, type OpenMusic } from '../../../support/sql-music.js'

/** A statement, with its parameter values. Lines are broken for readers only. */
export type StatementWithValues = readonly [sql: string, ...values: readonly unknown[]]

export interface StatementCase {
  readonly name: string
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** The value of `{cursor}` in the path: an order, and the tracks at the first of which it begins. */
  readonly cursor?: readonly [sort: string, ids: string]
  /** Whether only public playlists are visible. */
  readonly isScoped?: boolean
  /** Whether a hook makes the deletion of playlists take a transaction. */
  readonly isHooked?: boolean
  readonly PostgreSQL: readonly StatementWithValues[]
  readonly SQLite: readonly StatementWithValues[]
}

const accept = 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"'

/** Writes are rolled back. */
const fresh = [
  'delete from playlists',
  "insert into playlists (id, title, dedicated_to_id, dedicated_to_type) values (1, 'a', 1, 'artists'), (2, 'b', 2, 'albums'), (3, 'c', null, null)",
  'insert into playlist_tracks values (1, 1, 1, 5), (1, 2, 2, 6), (2, 1, 1, 9)',
  'update tracks set album_id = 1 + (id - 1) / 10',
]

/** A test for each request on each engine: it takes exactly these statements. */
export function testStatements(requests: readonly StatementCase[]): void {
  const opened: Partial<Record<'PostgreSQL' | 'SQLite', OpenMusic>> = {}
  beforeAll(async () => {
    for (const [name, open] of musicEngines) {
      const music = await open(30)
      opened[name] = music
    }
  })
  afterAll(() => Promise.all(Object.values(opened).map((music) => music.close())))
  beforeEach(async () => {
    for (const music of Object.values(opened)) for (const statement of fresh) await music.rows(statement)
  })

  const cases = requests.flatMap((request) => musicEngines.map(([engine]) => ({ ...request, engine })))
  test.each(cases)(
    '$name, on $engine',
    async ({ method = 'GET', path, body, cursor, isScoped = false, isHooked = false, ...expected }) => {
      const counter = statementCounter()
      const music = opened[expected.engine]
      if (music === undefined) throw new Error('The database is not open.')
      const api = client(musicServer(music.database, { isScoped, isHooked, onStatement: counter.onStatement }))
      const cursorValue = cursor === undefined ? '' : await cursorAt(api, ...cursor)
      const sent = { headers: { accept }, ...(body === undefined ? {} : { body }) }
      const ran = await counter.during(async () =>
        expect((await api.request(method, path.replace('{cursor}', cursorValue), sent)).errors).toEqual([]),
      )
      expect(ran.map(({ sql, values }) => [sql, ...values])).toEqual(
        expected[expected.engine].map(([sql, ...values]) => [sql.replaceAll(/\s*\n\s*/g, ' '), ...values]),
      )
    },
  )
}
