import type { TestClient, TestResponse } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { patience } from '../../../support/patience.js'
import { type ReplicatedMusic, replicatedMusic, replicatedServer, type StandIn, stopClock } from './replicated-music.js'
import { farAhead, farBehind } from './replica-stand-in.js'

let music: ReplicatedMusic
let replica: StandIn
beforeEach(async () => {
  music = await replicatedMusic()
  const [first] = music.replicas
  if (first === undefined) throw new Error('There are two.')
  replica = first
  stopClock()
})
afterEach(async () => {
  vi.useRealTimers()
  for (const { relay } of music.replicas) relay.thaw()
  await music.end()
})

const pollOptions = { timeout: patience(60_000) }

const titleOf = ({ resources }: TestResponse): unknown => resources[0]?.attributes?.['title']

/** The databases that some requests were read from. All of them have to succeed. */
async function readFrom(api: TestClient): Promise<readonly unknown[]> {
  const responses = await Promise.all(Array.from({ length: 6 }, () => api.get('/albums?filter[id]=1')))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  return [...new Set(responses.map(titleOf))].toSorted((a, b) => String(a).localeCompare(String(b)))
}

const [ofPrimary, ofFirst, ofSecond] = ['Album of primary', 'Album of replica 0', 'Album of replica 1']

async function started(serving: Parameters<typeof replicatedServer>[1] = {}) {
  const { server, data, logged } = replicatedServer(music, serving)
  await server.ready()
  const api = client(server)
  expect(await readFrom(api)).toEqual([ofFirst, ofSecond])
  return { server, data, logged, api, health: server.health({ cacheFor: 0, deadline: patience(10_000) }) }
}

const create = (api: TestClient): Promise<TestResponse> =>
  api.post('/albums', { body: resourceBody('albums', { title: 'New' }) })

describe('that is unreachable is not noticed by clients, and is used again some time after it has come back', () => {
  it('that is gone is not noticed by clients, and is used again some time after it has come back', async () => {
    const { api, data } = await started()
    await replica.relay.close()
    const found = await readFrom(api)
    expect(found).not.toContain(ofFirst)
    await expect.poll(() => data.replicas()[0]?.problem, pollOptions).not.toBeNull()
    expect(await readFrom(api)).toEqual([ofSecond])
    await replica.relay.open()
    expect(await readFrom(api)).toEqual([ofSecond])
    vi.advanceTimersByTime(6000)
    await expect.poll(() => readFrom(api), pollOptions).toEqual([ofFirst, ofSecond])
  })

  it('that does not respond any more is not waited for', async () => {
    const { api, data } = await started()
    replica.relay.freeze()
    let found: readonly unknown[] | null = null
    const reading = readFrom(api).then((names) => (found = names))
    // As long as reads wait for it, it is checked every second.
    await expect
      .poll(() => {
        vi.advanceTimersByTime(1000)
        return found
      }, pollOptions)
      .not.toBeNull()
    await reading
    // On a busy machine, the other replica may also be given up, because only this clock runs on.
    expect(found).toContain(ofPrimary)
    expect(found).not.toContain(ofFirst)
    expect(String(data.replicas()[0]?.problem)).toContain('It has not responded within 2000 ms.')
  })

  it('that loses one connection stays in use', async () => {
    const { api, data } = await started()
    await replica.run(`
      alter table albums rename to stored;
      create sequence reads;
      create function ends() returns boolean language plpgsql as $$ begin
        if nextval('reads') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return true;
      end $$;
      create view albums as select * from stored where ends()`)
    expect(await readFrom(api)).toEqual([ofPrimary, ofFirst, ofSecond])
    expect(await readFrom(api)).toEqual([ofFirst, ofSecond])
    expect(data.replicas().map(({ problem }) => problem)).toEqual([null, null])
  })

  it.each([
    [
      'the replay of the log is in the way of',
      `alter table albums rename to stored;
       create function fails() returns boolean language plpgsql as $$ begin
         raise exception 'canceling statement due to conflict with recovery' using errcode = '40001';
       end $$;
       create view albums as select * from stored where fails()`,
    ],
    ['needs a column that it does not have yet, of', 'alter table albums drop column title'],
  ])('leaves a read to the primary database that %s', async (_reason, change) => {
    const { api, data } = await started()
    await replica.run(change)
    expect(await readFrom(api)).toEqual([ofPrimary, ofSecond])
    expect(data.replicas()[0]?.problem).toBeNull()
    const names = await Promise.all([1, 2].map(async () => (await api.get('/artists/1')).text.includes('replica 0')))
    expect(names).toContain(true)
  })

  it('is not read from if it is no replica', async () => {
    const { api, data, server } = await started()
    await server.ready()
    await replica.run('update recovery set is_in_recovery = false')
    vi.advanceTimersByTime(1000)
    await expect.poll(() => readFrom(api), pollOptions).toEqual([ofSecond])
    expect(String(data.replicas()[0]?.problem)).toContain('The server is not in recovery, so it is not a replica.')
    expect((await server.inspect()).unsound).toEqual([
      'Nothing is read from replicas[0]: The server is not in recovery, so it is not a replica.',
    ])
  })

  it('is not read from while it is too far behind', async () => {
    const { api, data, server } = await started({ maxLag: 5000 })
    await server.ready()
    expect(data.replicas().map(({ lag }) => lag)).toEqual([0, 0])
    await replica.reaches(farBehind)
    vi.advanceTimersByTime(1000)
    await expect
      .poll(async () => [await readFrom(api), data.replicas()[0]?.lag], pollOptions)
      .toEqual([[ofSecond], null])
    // No query fails.
    const positionQueries = await replica.positionQueries()
    await readFrom(api)
    expect(await replica.positionQueries()).toBe(positionQueries)
    await replica.reaches(farAhead)
    vi.advanceTimersByTime(1000)
    await expect.poll(() => readFrom(api), pollOptions).toEqual([ofFirst, ofSecond])
  })

  it('is checked before it is read from after a pause', async () => {
    const { api, server } = await started()
    await server.ready()
    vi.advanceTimersByTime(3_600_000)
    const before = await replica.positionQueries()
    expect(await readFrom(api)).not.toContain(ofPrimary)
    await expect.poll(() => replica.positionQueries(), pollOptions).toBeGreaterThan(before)
  })
})

describe('Without a replica', () => {
  it('the primary database serves all requests', async () => {
    const { api, server, health, logged } = await started()
    await Promise.all(music.replicas.map(({ relay }) => relay.close()))
    expect(await readFrom(api)).toEqual([ofPrimary])
    expect((await create(api)).status).toBe(201)
    await server.ready()
    const report = await health.ready()
    expect([report.status, report.checks['stores'], report.checks['replicas']]).toEqual(['ok', 'ok', 'failed'])
    expect(logged.at(-1)).toMatch(
      /^Error: The health check 'replicas' fails: Nothing is read from replicas\[0\]: No PostgreSQL server listens at 127\.0\.0\.1:\d+\. Nothing is read from replicas\[1\]: /,
    )
  })
})

describe('Without the primary database', () => {
  it('the replicas serve what is read, however old it is, and the service stays ready', async () => {
    const { api, health } = await started()
    await music.primary.relay.close()
    for (const pause of [0, 1000, 3_600_000]) {
      // No read waits for a response while the time passes.
      await health.ready()
      vi.advanceTimersByTime(pause)
      expect(await readFrom(api)).not.toContain(ofPrimary)
    }
    const response = await create(api)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    const ahead = await api.get('/albums', { headers: { 'Read-After': '0.ffffffffffffffff' } })
    expect(ahead.status).toBe(503)
    expect((await health.ready()).checks).toMatchObject({ accepting: 'ok', stores: 'ok', replicas: 'ok' })
    await Promise.all(music.replicas.map(({ relay }) => relay.close()))
    expect((await health.ready()).checks).toMatchObject({ stores: 'failed', replicas: 'failed' })
    await music.primary.relay.open()
    expect((await create(api)).status).toBe(201)
  })
})
