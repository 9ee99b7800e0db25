import { createServer, defineResource, id, model, rateLimit } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { expect, onTestFinished, test } from 'vitest'
import { client } from '../../../support/client.js'
import { scratchSchema } from '../../../support/scratch-schema.js'

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), policy: 'public' })

test('rateLimit() counts the requests of several processes in their database', async () => {
  const schema = await scratchSchema()
  const pool = new Pool({ connectionString: schema.url })
  onTestFinished(async () => {
    await pool.end()
    await schema.drop()
  })
  const limiter = await new Promise<RateLimiterPostgres>((resolve, reject) => {
    const options = {
      storeClient: pool,
      points: 3,
      duration: 600,
      tableName: 'rate_limits',
      clearExpiredByTimeout: false,
    }
    const created = new RateLimiterPostgres(options, (error) =>
      error === undefined ? resolve(created) : reject(error),
    )
  })
  const process = () =>
    client(
      createServer({
        resources: [albums],
        data: memoryData({ albums: [{ id: 1 }] }),
        middleware: [rateLimit({ limiter, key: () => 'everybody' })],
      }),
    )
  const [one, other] = [process(), process()]
  const statuses: number[] = []
  for (const api of [one, other, one, other]) statuses.push((await api.get('/albums/1')).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})
