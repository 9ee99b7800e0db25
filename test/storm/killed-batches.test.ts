import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { batchType, judgedBatches, numberedBatch } from './kept-batches.js'
import { musicPlaces } from './places.js'
import { serving } from './serving.js'

/** A server that is killed leaves every batch whole or nothing of it, and all of those that it has answered. */

/** How often it is killed. `STORM_KILLS=100` is for an evening. */
const kills = Number(env['STORM_KILLS'] ?? 2)
const clients = 4
const counting = '1'
const script = 'test/storm/batches-process.ts'

/** What clients know of their batches. */
interface Known {
  sent: number
  readonly kept: Set<number>
  readonly faults: string[]
}

/** Sends batches until nobody answers. */
async function batchesAt(url: string, known: Known): Promise<void> {
  for (;;) {
    known.sent += 1
    const { number, operations } = numberedBatch(known.sent, counting)
    try {
      const response = await fetch(`${url}/operations`, {
        method: 'POST',
        headers: { 'Content-Type': batchType, Accept: batchType },
        body: JSON.stringify({ 'atomic:operations': operations }),
      })
      const text = await response.text()
      if (response.status === 200) known.kept.add(number)
      else known.faults.push(`${response.status} ${text}`)
    } catch {
      // Nobody answers any more: whether that was still done is not known.
      return
    }
  }
}

describe('A server that is killed while it writes batches', () => {
  let built: BuiltPackage
  beforeAll(() => {
    built = builtPackage([script])
  })
  afterAll(() => built.remove())

  test.each(musicPlaces)('leaves whole batches on %s', { timeout: 30_000 + kills * 10_000 }, async (_name, open) => {
    const opened = await open(20)
    const { place, music } = opened
    const known: Known = { sent: 0, kept: new Set(), faults: [] }
    try {
      await music.rows(`update tracks set plays = 0 where id = ${counting} returning id`)
      for (let kill = 0; kill < kills; kill += 1) {
        const server = await serving(built.pathOf(script), place)
        const storm = Array.from({ length: clients }, () => batchesAt(server.url, known))
        const enough = known.kept.size + 5 + Math.random() * 15
        while (known.kept.size < enough && known.faults.length === 0) await sleep(2)
        await sleep(Math.random() * 15)
        await server.kill()
        await Promise.all(storm)

        const held = await judgedBatches(music, counting)
        for (const number of known.kept) expect(held.has(number), `batch ${number}`).toBe(true)
      }
      expect(known.faults).toEqual([])
      // One row less would have been told.
      await music.rows('delete from playlist_tracks where track_id = (select min(track_id) from playlist_tracks)')
      await expect(judgedBatches(music, counting)).rejects.toThrow('in its list')
    } finally {
      await opened.remove()
    }
  })
})
