import { setTimeout as sleep } from 'node:timers/promises'
import { env } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { judgedLists } from './kept-lists.js'
import { musicPlaces } from './places.js'
import { serving } from './serving.js'
import { knowingNothing, stormAt } from './storm.js'

/** A server that is killed leaves nothing half-written, and nothing out that it has answered. */

/** How often it is killed. `STORM_KILLS=100` is for an evening. */
const kills = Number(env['STORM_KILLS'] ?? 2)
const clients = 6
const tracks = 200

describe('A server that is killed while it writes', () => {
  let built: BuiltPackage
  beforeAll(() => {
    built = builtPackage(['test/storm/music-process.ts'])
  })
  afterAll(() => built.remove())

  test.each(musicPlaces)(
    'loses nothing and leaves nothing half done on %s',
    { timeout: 30_000 + kills * 10_000 },
    async (_name, open) => {
      const opened = await open(tracks)
      const { place, music } = opened
      const known = knowingNothing()
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          const server = await serving(built.pathOf('test/storm/music-process.ts'), place)
          // It serves what the one before has left.
          const listed = await fetch(`${server.url}/playlists?page[size]=1000&include=tracks`)
          expect(listed.status).toBe(200)
          await listed.text()
          const storm = Array.from({ length: clients }, () => stormAt(server.url, known, tracks))
          const enough = known.answered + 20 + Math.random() * 60
          while (known.answered < enough) await sleep(5)
          await sleep(Math.random() * 20)
          await server.kill()
          await Promise.all(storm)

          const held = await judgedLists(music)
          for (const [id, title] of known.titles) if (!known.unsure.has(id)) expect(held.get(id), id).toBe(title)
          for (const id of known.deleted) expect(held.has(id), id).toBe(false)
        }
        expect(known.faults).toEqual([])
        expect(known.answered).toBeGreaterThan(kills * 20)
        // One join row less would have been told.
        await music.rows('delete from playlist_tracks where track_id = (select min(track_id) from playlist_tracks)')
        await expect(judgedLists(music)).rejects.toThrow(' that sum up to ')
      } finally {
        await opened.remove()
      }
    },
  )
})
