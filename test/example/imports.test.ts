import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectErrors } from 'ashlar/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWorker } from '../../examples/music/src/jobs/worker.js'
import { musicServices } from '../support/music-service.js'
import { patience } from '../support/patience.js'
import { musicClient } from './music-client.js'

/** Files of the tests. */
const files = {
  'refused.tsv': 'Portishead\tDummy\tMysterons\t306\nPortishead\tDummy\tRefused\t312\n',
  'nul.tsv': 'Portishead\tDummy\tMyst\0erons\t306\n',
  'long.tsv': Array.from({ length: 9000 }, (_, index) => `La Monte Young\tThe Well-Tuned Piano\t${index}\t1`).join(
    '\n',
  ),
  'tokyo.tsv': '初音ミク\tFirst Sounds\tMiku\t200\n椎名林檎\tMuzai Moratorium\tMarunouchi\t238\n',
}

let inbox: string
beforeAll(() => {
  inbox = mkdtempSync(join(tmpdir(), 'ashlar-inbox-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inbox, name), text)
})
afterAll(() => rmSync(inbox, { recursive: true }))

/** Makes the database refuse tracks of one title, and how it takes them again. */
const refusal = {
  sqlite: [
    `create trigger no_refused before insert on tracks when new.title = 'Refused' begin select raise(abort, 'Refused'); end`,
    'drop trigger no_refused',
  ],
  postgres: [
    `alter table tracks add constraint no_refused check (title <> 'Refused')`,
    'alter table tracks drop constraint no_refused',
  ],
} as const

const importOf = (source: unknown) => ({ data: { type: 'imports', attributes: { source } } })

describe.each(musicServices)('imports on %s', (_engine, open) => {
  const music = musicClient(open)

  test('are accepted: the response is a job, and its URL', async () => {
    const { status, resource, headers } = await music.post('/imports', importOf('portishead.tsv'))
    expect(status).toBe(202)
    expect(resource).toMatchObject({ type: 'jobs', id: '1' })
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['status', 'queued'],
      ['progress', 0],
    ])
    expect(headers.get('Content-Location')).toBe('http://localhost/jobs/1')
    expect(headers.get('Retry-After')).toBe('1')
  })

  test('exist immediately, with their source and their status', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    const { resource } = await music.get('/imports/1')
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['source', 'portishead.tsv'],
      ['status', 'queued'],
    ])
  })

  test('have a job that is 200 while it runs, and redirects to the import when it is done', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    const queued = await music.get('/jobs/1')
    expect(queued.status).toBe(200)
    expect(queued.resource.attributes).toEqual({ status: 'queued', progress: 0 })

    await music.service.work(1)
    const done = await music.get('/jobs/1')
    expect(done.status).toBe(303)
    expect(done.headers.get('Location')).toBe('http://localhost/imports/1')
    expect(done.text).toBe('')
    expect((await music.get('/imports/1')).resource.attributes).toEqual({ source: 'portishead.tsv', status: 'done' })
  })

  test('add artists, their albums, and the tracks of those', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    await music.service.work(1)
    const { document } = await music.get('/artists?filter[slug]=portishead&include=albums.tracks')
    expect(document?.data).toMatchObject({ attributes: { name: 'Portishead', trackCount: 7 } })
    const titled = (document?.included ?? []).map(
      ({ attributes }) => attributes?.['displayTitle'] ?? attributes?.['title'],
    )
    expect(titled).toEqual([
      'Dummy',
      'Third',
      '1. Mysterons',
      '2. Sour Times',
      '3. Strangers',
      '4. Roads',
      '5. Glory Box',
      '1. Silence',
      '2. Machine Gun',
    ])
  })

  test('add nothing twice, even if several workers run their job one after the other', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    await music.service.work(1)
    await music.service.work(1)
    expect((await music.get('/albums')).resources).toHaveLength(6)
  })

  test('add nothing twice when several workers run one job concurrently', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    await Promise.all(Array.from({ length: 6 }, () => music.service.work(1)))
    expect((await music.get('/albums')).resources).toHaveLength(6)
    expect((await music.get('/jobs/1')).status).toBe(303)
    expect((await music.get('/imports/1')).resource.attributes?.['status']).toBe('done')
  })

  test('of an album with thousands of tracks are done', async () => {
    await music.post('/imports', importOf('long.tsv'))
    await music.service.work(1, inbox)
    expect((await music.get('/imports/1')).resource.attributes?.['status']).toBe('done')
    const { resource } = await music.get('/artists?filter[slug]=la-monte-young')
    expect(resource.attributes?.['trackCount']).toBe(9000)
  })

  test('identify artists by their names, in any script', async () => {
    await music.post('/imports', importOf('tokyo.tsv'))
    await music.service.work(1, inbox)
    const { resources } = await music.get('/albums?filter[artist.name]=椎名林檎')
    expect(resources).toMatchObject([{ attributes: { title: 'Muzai Moratorium' } }])
    const { resources: artists } = await music.get('/artists?sort=slug&filter[q]=初音')
    expect(artists).toMatchObject([{ attributes: { name: '初音ミク', slug: 'unnamed', trackCount: 1 } }])
    await music.post('/imports', importOf('tokyo.tsv'))
    await music.service.work(2, inbox)
    expect((await music.get('/artists')).resources).toHaveLength(5)
  })

  test('that the database refuses have failed, store nothing, and do not prevent the next from being done', async () => {
    const complaint = vi.spyOn(console, 'error').mockReturnValue()
    const { storage } = music.service
    const [refuse, takeAgain] = refusal[storage.engine]
    await sql.raw(refuse).execute(storage.db)
    onTestFinished(async () => void (await sql.raw(takeAgain).execute(storage.db)))
    for (const source of ['refused.tsv', 'tokyo.tsv']) await music.post('/imports', importOf(source))

    const worker = await startWorker(storage, inbox)
    onTestFinished(() => worker.stop())
    await expect.poll(() => music.get('/jobs/2').then(({ status }) => status), { timeout: patience(60_000) }).toBe(303)
    expect((await music.get('/jobs/1')).headers.get('Location')).toBe('http://localhost/imports/1')
    const stored = (await music.get('/imports')).resources.map(({ attributes }) => attributes)
    expect(stored).toEqual([
      { source: 'refused.tsv', status: 'failed' },
      { source: 'tokyo.tsv', status: 'done' },
    ])
    expect((await music.get('/albums?sort=title')).resources).toHaveLength(6)
    expect((await music.get('/artists?filter[slug]=portishead')).document?.data).toBeNull()
    expect(complaint.mock.calls).toEqual([['The import of refused.tsv has failed.', expect.any(Error)]])
  })

  test('fail if the file does not exist: the job is done, and the import shows the error', async () => {
    for (const source of ['nothing.tsv', '../package.json', '/etc/hostname']) {
      const { resource } = await music.post('/imports', importOf(source))
      await music.service.work(Number(resource.id))
      expect((await music.get(`/jobs/${resource.id}`)).status).toBe(303)
      expect((await music.get(`/imports/${resource.id}`)).resource.attributes).toEqual({ source, status: 'failed' })
    }
    expect((await music.get('/albums')).resources).toHaveLength(4)
  })

  test('fail if a title has a NUL, which PostgreSQL cannot store', async () => {
    await music.post('/imports', importOf('nul.tsv'))
    await music.service.work(1, inbox)
    expect((await music.get('/jobs/1')).status).toBe(303)
    expect((await music.get('/imports/1')).resource.attributes?.['status']).toBe('failed')
    expect((await music.get('/albums')).resources).toHaveLength(4)
  })

  test('need a source', async () => {
    expectErrors(await music.post('/imports', { data: { type: 'imports', attributes: {} } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/source' },
    ])
    expectErrors(await music.post('/imports', importOf(7)), [{ status: 422, pointer: '/data/attributes/source' }])
    expect((await music.get('/jobs')).resources).toEqual([])
  })

  test('have a status that clients do not write', async () => {
    await music.post('/imports', { data: { type: 'imports', attributes: { source: 'x.tsv', status: 'done' } } })
    expect((await music.get('/imports/1')).resource.attributes?.['status']).toBe('queued')
  })

  test('are created and read, jobs are read', async () => {
    await music.post('/imports', importOf('x.tsv'))
    const changed = await music.patch('/imports/1', { data: { type: 'imports', id: '1', attributes: {} } })
    expect(changed.status).toBe(405)
    expect((await music.delete('/imports/1')).status).toBe(405)
    expect((await music.post('/jobs', { data: { type: 'jobs' } })).status).toBe(405)
    expect((await music.delete('/jobs/1')).status).toBe(405)
  })
})
