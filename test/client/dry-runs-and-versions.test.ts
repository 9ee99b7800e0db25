import { type ApiOf, atomic, createServer, defineResource, id, model } from 'ashlar'
import { createClient, raw } from '@ashlar/client'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { thrownBy } from './scripted-server.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; lockVersion: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  version: { column: 'lockVersion', inMeta: true },
})

const createAlbums = () =>
  createServer({
    resources: [albums],
    data: memoryData({ albums: [{ id: 1, title: 'OK Computer', lockVersion: 1 }] }),
    extensions: [atomic()],
    dryRun: true,
  })

interface Api extends ApiOf<ReturnType<typeof createAlbums>> {}

const connected = () => {
  const server = createAlbums()
  return createClient<Api>({
    url: 'https://music.example',
    fetch: (url, init) => server.fetch(new Request(url, init)),
  })
}

test('a dry run returns the result of the write, and stores nothing', async () => {
  const { types, atomic: sendBatch } = connected()
  const made = await types.albums.create({ attributes: { title: 'Kid A' } }, { dryRun: true })
  const changed = await types.albums.update('1', { attributes: { title: 'OKNOTOK' } }, { dryRun: true })
  const [inBatch] = await sendBatch(
    (batch) => [batch.create('albums', { attributes: { title: 'Amnesiac' } })] as const,
    {
      dryRun: true,
    },
  )
  expect([made.data.title, changed.data.title, inBatch.title]).toEqual(['Kid A', 'OKNOTOK', 'Amnesiac'])
  expect((await types.albums.list()).data.map(({ title }) => title)).toEqual(['OK Computer'])
})

test('a dry run fails as the write would', async () => {
  const { albums: type } = connected().types
  const refused = await thrownBy(type.update('1', { attributes: { title: '' } }, { dryRun: true }))
  expect(refused).toMatchObject({ status: 422, at: { title: [{ code: 'VALIDATION_FAILED' }] } })
})

test('an operation of a batch with the version that was read is refused after another write', async () => {
  const { types, atomic: sendBatch } = connected()
  const { data } = await types.albums.get('1')
  const version = String(raw(data)?.meta?.['version'])
  const rename = (title: string) =>
    sendBatch((batch) => [batch.update('albums', data, { attributes: { title } }, { version })])
  expect(await rename('OKNOTOK')).toMatchObject([{ title: 'OKNOTOK' }])
  expect(await thrownBy(rename('O.K.'))).toMatchObject({ status: 412, at: { '0.version': [{}] } })
})
