import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const importOf = (source: unknown) => ({ data: { type: 'imports', attributes: { source } } })

describe.each(musicServices)('imports on %s', (_engine, open) => {
  const music = musicClient(open)

  test('are accepted: the answer is a job, and where to follow it', async () => {
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

  test('are there at once, with their source and how they stand', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    const { resource } = await music.get('/imports/1')
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['source', 'portishead.tsv'],
      ['status', 'queued'],
    ])
  })

  test('have a job that is read while it goes on, and leads to the import when it is done', async () => {
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

  test('add nothing twice, however often a worker takes up their job', async () => {
    await music.post('/imports', importOf('portishead.tsv'))
    await music.service.work(1)
    await music.service.work(1)
    expect((await music.get('/albums')).resources).toHaveLength(6)
  })

  test('fail where there is no such file: the job is done, the import says so', async () => {
    for (const source of ['nothing.tsv', '../package.json', '/etc/hostname']) {
      const { resource } = await music.post('/imports', importOf(source))
      await music.service.work(Number(resource.id))
      expect((await music.get(`/jobs/${resource.id}`)).status).toBe(303)
      expect((await music.get(`/imports/${resource.id}`)).resource.attributes).toEqual({ source, status: 'failed' })
    }
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
