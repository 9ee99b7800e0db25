import { type Client, ClientError, type PageParameters, raw } from '@ashlar/client'
import type { Api } from '../../examples/music/src/api.js'

/** A client of the music catalogue, and the functions that it needs from the machine of the catalogue. */
export interface World {
  readonly client: Client<Api>
  /** Does a job, as the worker would. */
  readonly work: (jobId: number) => Promise<void>
}

const roadTrip = 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'

/** Returns the error that a call throws, as far as it can be sent from a page. */
async function refusal(call: Promise<unknown>) {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(thrown instanceof ClientError)) throw new Error(`There was no ClientError, but ${String(thrown)}`)
  const { status, message, errors, at } = thrown
  return { status, message, errors, paths: Object.keys(at), isMissing: thrown.has('RESOURCE_NOT_FOUND') }
}

/** Returns the name of the error that a call throws. */
const nameOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => (error as Error).name,
  )

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id)

/** Reads the albums from a page on. Each page is found by its parameters, as one is that an address shows. */
async function albumsFrom(page: PageParameters<Api, 'albums'>, client: World['client']): Promise<readonly string[]> {
  const { data, nextPage } = await client.types.albums.list({ page, sort: ['title'] })
  return [...idsOf(data), ...(nextPage === null ? [] : await albumsFrom(nextPage, client))]
}

/**
 * The scenarios of the client with the music catalogue, in Node.js and on a page. Each function returns plain data, which the tests
 * compare, and imports nothing of Node.js.
 */
export const scenarios = {
  list: async ({ client }: World) => {
    const { data, total } = await client.types.albums.list({
      include: ['artist', 'tracks.playlists'],
      fields: { artists: ['name'], playlists: ['title'] },
      filter: { title: 'k', releasedAt: { min: '1990-01-01' } },
      sort: ['-releasedAt'],
      page: { number: 1, size: 2 },
      count: ['tracks', '_self_'],
    })
    return { data, total }
  },
  filters: async ({ client }: World) => {
    const { albums, tracks } = client.types
    await albums.list({ filter: { id: ['1', '2'], tracks: true } })
    await tracks.list({ filter: { genres: ['art rock, slow', 'jazz'], explicit: false } })
    return (await albums.list({ filter: { id: [] } })).data.length
  },
  get: async ({ client }: World) => {
    const { data, etag, links } = await client.types.albums.get('1')
    return { data, etag, hasLink: 'self' in links, hasOwnLink: 'self' in (raw(data)?.links ?? {}), other: raw({}) }
  },
  getIfChanged: async ({ client }: World) => {
    const { albums } = client.types
    const { etag } = await albums.get('1')
    return [await albums.getIfChanged('1', etag ?? ''), (await albums.getIfChanged('1', '"old"'))?.data.title]
  },
  first: async ({ client }: World) => {
    const { artists } = client.types
    return [
      (await artists.first({ filter: { slug: 'bjork' } }))?.name,
      await artists.first({ filter: { slug: 'nobody' } }),
      (await artists.list({ filter: { slug: 'bjork' } })).data.length,
    ]
  },
  tree: async ({ client }: World) => {
    const { data } = await client.types.albums.list({ include: ['artist.albums'], filter: { id: ['1', '2'] } })
    return { data, clone: structuredClone(data), isOne: data[0]?.artist === data[1]?.artist }
  },
  pages: async ({ client }: World) => {
    const { tracks } = client.types
    const all = idsOf((await tracks.list({ page: { size: 100 }, sort: ['id'] })).data)
    const rows: Record<string, string[]> = {}
    const pages: Record<string, number> = {}
    const choices = [
      { kind: 'page', size: 4 },
      { kind: 'cursor', size: 4 },
      { kind: 'offset', limit: 4 },
    ] as const
    for (const page of choices) {
      const { kind } = page
      rows[kind] = idsOf(await allOf(tracks.each({ page, sort: ['id'] })))
      pages[kind] = (await allOf(tracks.pages({ page, sort: ['id'] }))).filter(({ data }) => data.length > 0).length
    }
    return { all, rows, pages }
  },
  neighbours: async ({ client }: World) => {
    const first = await client.types.albums.list({ page: { size: 2 }, sort: ['title'], include: ['artist'] })
    const second = await first.next()
    const back = await second?.previous()
    return {
      artist: second?.data[0]?.artist?.name,
      first: idsOf(first.data),
      back: idsOf(back?.data ?? []),
      before: await first.previous(),
      last: idsOf(second?.data ?? []),
      byParameters: await albumsFrom({ kind: 'cursor', size: 2 }, client),
    }
  },
  related: async ({ client }: World) => {
    const { playlists, albums, tracks } = client.types
    const ordered = await playlists.related(roadTrip, 'orderedTracks', {
      include: ['album.artist'],
      sort: ['-position'],
    })
    const [last] = ordered.data
    const included = await playlists.get(roadTrip, { include: ['orderedTracks'] })
    return {
      size: ordered.data.length,
      position: last?.$pivot.position,
      lastArtist: last?.album?.artist?.name,
      artist: (await albums.related('1', 'artist')).data?.name,
      tracksOfAlbum: (await tracks.related('1', 'album', { count: ['tracks'] })).data?.$counts.tracks,
      linkage: (await albums.linkage('1', 'artist')).data,
      position1: included.data.orderedTracks[0]?.$pivot.position,
      each: idsOf(await allOf(albums.eachRelated('1', 'tracks', { sort: ['id'], page: { size: 1 } }))),
      pages: (await allOf(albums.relatedPages('1', 'tracks', { page: { size: 1 } }))).length,
      eachLinked: idsOf(await allOf(albums.eachLinked('1', 'tracks', { sort: ['id'], page: { size: 1 } }))),
      all: idsOf((await albums.linkage('1', 'tracks', { sort: ['id'] })).data),
    }
  },
  severalTypes: async ({ client }: World) => {
    const { data } = await client.types.favorites.list({
      include: ['favoritable.album.artist', 'favoritable.artist', 'favoritable.albums'],
    })
    return data.map(({ favoritable }) => {
      switch (favoritable?.type) {
        case 'artists':
          return [favoritable.slug, favoritable.albums?.[0]?.title]
        case 'tracks':
          return [typeof favoritable.trackNumber, favoritable.album?.artist?.name]
        default:
          return [favoritable?.title, favoritable?.artist?.name]
      }
    })
  },
  writes: async ({ client }: World) => {
    const { albums } = client.types
    const made = await albums.create(
      { attributes: { title: 'Amnesiac' }, relationships: { artist: { type: 'artists', id: '1' } } },
      { include: ['artist'] },
    )
    const { id } = made.data
    const changed = await albums.update(id, { attributes: { explicit: true } }, { ifMatch: made.etag })
    const stale = await refusal(albums.update(id, { attributes: { title: 'x' } }, { ifMatch: made.etag }))
    const minimal = await albums.update(id, { attributes: { explicit: false } }, { prefer: 'return=minimal' })
    const deleted = await albums.delete(id, { ifMatch: minimal.etag })
    return {
      made: [made.status, made.data.artist?.name],
      explicit: changed.data.explicit,
      stale: stale.status,
      minimal: [minimal.status, minimal.data],
      deleted: deleted.status,
      missing: (await refusal(albums.get(id))).isMissing,
    }
  },
  fieldErrors: async ({ client }: World) => {
    const { albums, tracks } = client.types
    const refused = await refusal(
      albums.create({
        attributes: { title: '', releaseInfo: { label: 'x'.repeat(121) } },
        relationships: { artist: { type: 'artists', id: '999' } },
      }),
    )
    return { refused, query: await refusal(tracks.list({ page: { kind: 'cursor', after: 'nowhere' } })) }
  },
  pivotErrors: async ({ client }: World) => {
    const { playlists } = client.types
    const wrong = [{ type: 'tracks', id: '8', $pivot: { position: 0 } }] as const
    return [
      (await refusal(playlists.add(roadTrip, 'orderedTracks', wrong))).paths,
      (await refusal(playlists.update(roadTrip, { relationships: { orderedTracks: wrong } }))).paths,
      (
        await refusal(
          client.atomic((batch) => [
            batch.update('playlists', roadTrip, { attributes: { title: 'x' } }),
            batch.add('playlists', roadTrip, 'orderedTracks', wrong),
          ]),
        )
      ).paths,
    ]
  },
  relationships: async ({ client }: World) => {
    const { playlists, albums } = client.types
    const members = async () => (await playlists.linkage(roadTrip, 'orderedTracks')).data
    const before = await members()
    await playlists.add(roadTrip, 'orderedTracks', [{ type: 'tracks', id: '8', $pivot: { position: 9 } }])
    const added = await members()
    await playlists.remove(roadTrip, 'orderedTracks', [{ type: 'tracks', id: '8' }])
    const removed = await members()
    const replaced = await albums.replace('1', 'artist', { type: 'artists', id: '2' })
    return { before, added, removed, status: replaced.status, artist: (await albums.get('1')).data.artist }
  },
  actions: async ({ client }: World) => {
    const { albums, devices } = client.types
    const reissued = await albums.act('1', 'reissue', { attributes: { title: 'OKNOTOK' } })
    const artwork = await albums.act('1', 'artwork', { body: 'x', contentType: 'image/png' })
    const { data, mediaType } = await albums.act('1', 'picture', null, { method: 'GET' })
    const picture = { mediaType, text: await data.text() }
    const summary = await albums.run('summary')
    const { data: device } = await devices.create({ attributes: { label: 'Radio' } })
    await devices.delete(device.id)
    const restored = await devices.act(device.id, 'restore')
    return { reissued: reissued.data, artwork: artwork.status, picture, summary: summary.meta, restored: restored.data }
  },
  batch: async ({ client }: World) => {
    const [artist, album, deleted] = await client.atomic((batch) => {
      const who = batch.create('artists', { attributes: { name: 'Thom Yorke' } })
      const what = batch.create('albums', { attributes: { title: 'The Eraser' }, relationships: { artist: who } })
      return [who, what, batch.delete('genres', 'jazz')] as const
    })
    const refused = await refusal(
      client.atomic((batch) => [
        batch.create('artists', { attributes: { name: 'A' } }),
        batch.create('albums', { attributes: { title: '' } }),
      ]),
    )
    return { artist, album, deleted, paths: refused.paths }
  },
  job: async ({ client, work }: World) => {
    const { imports, jobs } = client.types
    const started = await imports.create({ attributes: { source: 'songs.csv' } })
    const seen: string[] = []
    const { data } = await jobs.wait(started.job, {
      interval: 10,
      onProgress: ({ status }) => {
        if (seen.push(status) === 1) void work(Number(started.job.id))
      },
    })
    return { status: started.status, retryAfter: started.retryAfter, type: data.type, seen }
  },
  key: async ({ client }: World) => {
    const { artists } = client.types
    const once = () => artists.create({ attributes: { name: 'Once' } }, { idempotencyKey: 'key-1' })
    return [(await once()).data.id, (await once()).data.id]
  },
  ends: async ({ client }: World) => {
    const { albums } = client.types
    const controller = new AbortController()
    const ended = nameOf(albums.list({ signal: controller.signal }))
    controller.abort()
    // A write without a key is not sent again, and this one has no effect.
    return [await ended, await nameOf(albums.update('1', {}, { ifMatch: '"old"', timeout: 0 }))]
  },
} satisfies Record<string, (world: World) => Promise<unknown>>

export type ScenarioName = keyof typeof scenarios
