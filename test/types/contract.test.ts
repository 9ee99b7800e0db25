import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { server as music } from '../../examples/music/src/described.js'
import { type Compilation, compile } from '../support/compile.js'
import { server as every } from './contracts/every-fact.js'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The servers whose contracts are compared, and the modules that export them. */
const servers = [
  { title: 'the example', server: music, module: pathOf('../../examples/music/src/described.js'), name: 'default' },
  {
    title: 'the example, on its admin server',
    server: music,
    module: pathOf('../../examples/music/src/described.js'),
    name: 'admin',
  },
  { title: 'a service with everything', server: every, module: pathOf('contracts/every-fact.js'), name: 'default' },
  {
    title: 'a service with everything, on its admin server',
    server: every,
    module: pathOf('contracts/every-fact.js'),
    name: 'admin',
  },
] as const

/**
 * `Same` is exact: two types are the same if no generic function can distinguish them. `Differences` names the types and members that
 * are not, for the message.
 */
const same = `
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Differing<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B ? (Same<A[Name], B[Name]> extends true ? never : Name) : Name
}[keyof A | keyof B]
type Prefixed<Name, Members> = \`\${Name & string}.\${Members & string}\`
type Members<A, B> = { [Name in keyof A & keyof B]: Prefixed<Name, Differing<A[Name], B[Name]>> }[keyof A & keyof B]
export type Differences<A extends { types: unknown }, B extends { types: unknown }> =
  | Exclude<Differing<A, B>, 'types'>
  | Exclude<keyof A['types'], keyof B['types']>
  | Exclude<keyof B['types'], keyof A['types']>
  | Members<A['types'], B['types']>
`

/** One mistake a line, which both sources of the contract must refuse. */
const mistakes = `
type Types = Api['types']
export const title: Types['albums']['attributes']['titel'] = 'Kid A'
export const create: Types['albums']['create'] = { titel: 'Kid A' }
export const missing: Types['albums']['create'] = {}
export const readOnly: Types['albums']['update'] = { averageRating: 5 }
export const value: Types['albums']['create'] = { title: 'Kid A', status: 'gone' }
export const filter: Types['albums']['filters'] = { rating: { min: '4' } }
export const sort: Types['albums']['sorts'] = 'rating'
export const page: Types['tracks']['page'] = { kind: 'curser' }
export const type: Types['album'] = null
export const operation: Types['jobs']['operations'] = 'Create'
`

/** Calls of a client with one error each. The expected message of the compiler is above the line. */
const misuses = `
import { type ClientError, createClient, type ResourceOf, type TypeName, type TypesWith } from '@ashlar/client'
const { types, atomic } = createClient<Api>({ url: 'https://music.example' })
const { albums, artists, charts, favorites, genres, imports, jobs, libraries, playlists, tracks } = types
export const titleOfAny = async <T extends 'albums' | 'tracks'>(type: T): Promise<string> => (await types[type].get('1')).data.title
export const typesOfAny = async <T extends TypesWith<Api, 'FetchCollection'>>(type: T): Promise<(string | null)[]> =>
  (await types[type].list({ page: { size: 3 } })).data.map((each) => (each.type === 'artists' ? each.name : each.id))
export const exactOfAny = async <T extends 'albums' | 'tracks'>(type: T): Promise<ResourceOf<Api, T>> =>
  (await types[type].get('1')).data as ResourceOf<Api, T>
// refuses: Property 'get' does not exist on type
export const getOfAny = async <T extends TypeName<Api>>(type: T) => types[type].get('1')
// refuses: Property 'averageRating' does not exist on type
export const ratingOfAny = async <T extends 'albums' | 'tracks'>(type: T) => (await types[type].get('1')).data.averageRating
export const pageAfterPage = async (): Promise<void> => {
  let { nextPage } = await albums.list()
  while (nextPage !== null) nextPage = (await albums.list({ page: nextPage })).nextPage
}
// refuses: "Write a list of paths: ['artist']."
await albums.list({ include: 'artist' })
// refuses: "Write a list of paths: ['artist']."
await albums.related('1', 'tracks', { include: 'playlists' })
// refuses: Type 'string' is not assignable to type 'undefined'.
await albums.list({ page: { number: 1, after: 'x' } })
// refuses: Type 'number' is not assignable to type 'undefined'.
await albums.list({ page: { kind: 'cursor', after: 'x', number: 1 } })
// refuses: Type 'number' is not assignable to type 'undefined'.
await albums.related('1', 'tracks', { page: { size: 1, offset: 1 } })
const album = await albums.get('1')
const titled = await albums.get('1', { fields: { albums: ['title'] } })
// refuses: Type '"artst"' is not assignable to type 'Includable<Api, "albums">'. Did you mean '"artist"'?
await albums.list({ include: ['artst'] })
// refuses: Type '"tracks.playlist"' is not assignable to type '"tracks.album" | "tracks.playlists"'. Did you mean '"tracks.playlists"'?
await albums.list({ include: ['tracks.playlist'] })
// refuses: Type '"tracks.album.artst"' is not assignable to type '"tracks.album.artist" | "tracks.album.tracks"'. Did you mean '"tracks.album.artist"'?
await albums.list({ include: ['tracks.album.artst'] })
// refuses: Type '"owner"' is not assignable to type 'Includable<Api, "playlists">'.
await playlists.list({ include: ['owner'] })
// refuses: Type '"titel"' is not assignable to type 'FieldName<Api, "albums">'. Did you mean '"title"'?
await albums.list({ fields: { albums: ['titel'] } })
// refuses: This API has no type 'album'.
await albums.list({ fields: { albums: ['title'], album: ['title'] } })
// refuses: 'titel' does not exist in type 'Filters<Api, "albums">'. Did you mean to write 'title'?
await albums.list({ filter: { titel: 'x' } })
// refuses: Type 'string' is not assignable to type 'number'.
await albums.list({ filter: { rating: { min: '4' } } })
// refuses: Type '"gone"' is not assignable to type '"released" | "upcoming" | "withdrawn" | undefined'.
await albums.list({ filter: { status: 'gone' } })
await albums.list({ filter: { q: '"kid a" -live' }, sort: ['-relevance', 'title'] })
// refuses: Type 'number' is not assignable to type 'string'.
await albums.list({ filter: { q: 3 } })
// refuses: Type '"-relevanc"' is not assignable to type 'SortKey<Api, "albums">'.
await albums.list({ filter: { q: 'kid' }, sort: ['-relevanc'] })
// refuses: Type '"-relevance"' is not assignable to type 'SortKey<Api, "tracks">'.
await tracks.list({ filter: { q: 'kid' }, sort: ['-relevance'] })
// refuses: Type '"-releasd"' is not assignable to type 'SortKey<Api, "albums">'.
await albums.list({ sort: ['-releasd'] })
// refuses: Did you mean to write 'number'?
await artists.list({ page: { nummer: 3 } })
// refuses: Type '"curser"' is not assignable to type
await tracks.list({ page: { kind: 'curser' } })
// refuses: Type 'number' is not assignable to type 'undefined'.
await tracks.list({ page: { kind: 'cursor', number: 3 } })
// refuses: Did you mean to write 'include'?
await albums.list({ includes: ['artist'] })
// refuses: Type '"artist"' is not assignable to type 'Countable<Api, "albums">'.
await albums.list({ count: ['artist'] })
// refuses: Property 'titel' does not exist on type
export const misread = album.data.titel
export const label: string | null = album.data.releaseInfo.label
const [chart] = (await charts.list({ fields: { charts: ['entries'] } })).data
export const places: number[] | undefined = chart?.entries.map(({ place }) => place)
// refuses: Property 'artist' does not exist on type '{ place: number; track: string; title: string; plays: number; }'.
export const noPlaces = chart?.entries[0]?.artist
// refuses: Property 'plays' does not exist on type
export const noPlays = chart?.plays
// refuses: Property 'tracks' does not exist on type
export const excluded = album.data.tracks
// refuses: Property 'status' does not exist on type 'Identifier<"albums"> & { readonly title: string; } & {}'.
export const unselected = titled.data.status
// refuses: is possibly 'null'.
export const unrelated = album.data.artist.id
// refuses: Argument of type '"artst"' is not assignable to parameter of type 'RelationsThatAre<Api, "albums", "related">'.
await albums.related('1', 'artst')
// refuses: Argument of type '"artist"' is not assignable to parameter of type '"tracks"'.
albums.eachRelated('1', 'artist')
// refuses: is not assignable to type 'undefined'.
await albums.related('1', 'artist', { page: { size: 1 } })
// refuses: Type '"playlist"' is not assignable to type 'Includable<Api, "tracks">'. Did you mean '"playlists"'?
await albums.related('1', 'tracks', { include: ['playlist'] })
// refuses: Type '"titel"' is not assignable to type '"-duration" | "duration" | SortKey<Api, "tracks">'. Did you mean '"title"'?
await albums.related('1', 'tracks', { sort: ['titel'] })
// refuses: 'include' does not exist in type 'LinkageQuery<Api, "albums", "tracks">'.
await albums.linkage('1', 'tracks', { include: ['playlists'] })
// refuses: The linkage of this relation has no parameters: read its members with related().
await playlists.linkage('1', 'orderedTracks', { sort: ['position'] })
// refuses: The linkage of this relation has no parameters: read its members with related().
libraries.eachLinked('1', 'items', { page: { size: 1 } })
// refuses: Type '"favoritable.slug"' is not assignable to type '"favoritable.album" | "favoritable.albums" | "favoritable.artist" | "favoritable.playlists" | "favoritable.tracks"'.
await favorites.list({ include: ['favoritable.slug'] })
// refuses: Type '"artists"' is not assignable to type '"albums" | Includable<Api, "albums"> | Includable<Api, "tracks">'. Did you mean '"artist"'?
await libraries.related('1', 'items', { include: ['artists'] })
// refuses: Did you mean 'position'?
export const misreadPivot = (await playlists.linkage('1', 'orderedTracks')).data[0]?.$pivot.positon
// refuses: Property 'slug' does not exist on type
export const unnarrowed = (await favorites.list({ include: ['favoritable'] })).data[0]?.favoritable?.slug
// refuses: Property 'filter' is missing
await artists.first({})
// refuses: 'titel' does not exist in type 'NewAttributes<Api, "albums">'. Did you mean to write 'title'?
await albums.create({ attributes: { titel: 'x' } })
// refuses: Property 'attributes' is missing in type '{}'
await albums.create({})
// refuses: Property 'title' is missing in type '{}' but required in type 'NewAttributes<Api, "albums">'.
await albums.create({ attributes: {} })
// refuses: 'title' does not exist in type 'NewResource<Api, "albums">'.
await albums.create({ title: 'x' })
// refuses: Type 'number' is not assignable to type 'string'.
await albums.create({ attributes: { title: 3 } })
// refuses: Type '"gone"' is not assignable to type '"released" | "upcoming" | "withdrawn"'.
await albums.create({ attributes: { title: 'x', status: 'gone' } })
// refuses: 'artst' does not exist in type 'NewRelationships<Api, "albums">'. Did you mean to write 'artist'?
await albums.create({ attributes: { title: 'x' }, relationships: { artst: { type: 'artists', id: '1' } } })
// refuses: Type 'string' is not assignable to type 'Identifier<"artists"> | LocalIdentifier<"artists"> | null | undefined'.
await albums.create({ attributes: { title: 'x' }, relationships: { artist: '1' } })
// refuses: 'averageRating' does not exist in type 'ChangedAttributes<Api, "albums">'.
await albums.update('1', { attributes: { averageRating: 3 } })
// refuses: Type '{}' is not assignable to type '"This type has no relationship that a client replaces."'.
await genres.update('1', { relationships: {} })
// refuses: 'playlists' does not exist in type 'ChangedRelationships<Api, "tracks">'.
await tracks.update('1', { relationships: { playlists: [] } })
// refuses: is not assignable to type '"This type has no relationships that a client sends."'.
await genres.create({ id: 'rock', attributes: { name: 'Rock' }, relationships: { artist: null } })
// refuses: Type '"artist"' is not assignable to type '"artists"'.
await albums.create({ attributes: { title: 'x' }, relationships: { artist: { type: 'artist', id: '1' } } })
// refuses: Property 'id' is missing in type
await genres.create({ attributes: { name: 'Rock' } })
const upserted = await genres.upsert('rock', { attributes: { name: 'Rock' } }, { ifNoneMatch: '*' })
export const upsertedName: string = upserted.data.name
// refuses: Property 'attributes' is missing in type '{}'
await genres.upsert('rock', {})
// refuses: Property 'upsert' does not exist on type 'TypeClient<Api, "albums">'.
await albums.upsert('1', { attributes: { title: 'x' } })
const rows = tracks.export({ fields: { tracks: ['title', 'album'] }, filter: { title: 'x' }, sort: ['-title'] })
export const columns: AsyncIterable<{ readonly id: string; readonly title: string; readonly 'album.id': string | null }> = rows
// refuses: Property 'durationSeconds' does not exist on type
for await (const row of rows) console.log(row.durationSeconds)
for await (const row of tracks.export()) console.log(row.durationSeconds + 1, row['album.id']?.length)
// refuses: Property 'playlists' does not exist on type
for await (const row of tracks.export()) console.log(row.playlists)
// refuses: Type '"titel"' is not assignable to type
tracks.export({ fields: { tracks: ['titel'] } })
// refuses: Type '"playlists"' is not assignable to type
tracks.export({ fields: { tracks: ['title', 'playlists'] } })
// refuses: An export has only columns of 'tracks'.
tracks.export({ fields: { tracks: ['title'], albums: ['title'] } })
// refuses: 'titel' does not exist in type 'Filters<Api, "tracks">'. Did you mean to write 'title'?
tracks.export({ filter: { titel: 'x' } })
// refuses: Type '"-releasd"' is not assignable to type
tracks.export({ sort: ['-releasd'] })
// refuses: 'page' does not exist in type
tracks.export({ page: { size: 1 } })
// refuses: Property 'export' does not exist on type 'TypeClient<Api, "albums">'.
albums.export()
// refuses: Property 'create' does not exist on type 'TypeClient<Api, "jobs">'.
await jobs.create({})
// refuses: Property 'update' does not exist on type 'TypeClient<Api, "imports">'.
await imports.update('1', {})
// refuses: Argument of type '"owner"' is not assignable to parameter of type 'RelationsThatAre<Api, "playlists", "addable">'.
await playlists.add('1', 'owner', [])
// refuses: Argument of type '"playlists"' is not assignable to parameter of type '"album"'.
await tracks.replace('1', 'playlists', [])
// refuses: Type '{ type: "tracks"; id: string; }' is not assignable to type 'AddedInput<Api, "playlists", "orderedTracks">'.
await playlists.add('1', 'orderedTracks', [{ type: 'tracks', id: '1' }])
// refuses: Property 'position' is missing in type '{ weight: number; }'
await playlists.add('1', 'orderedTracks', [{ type: 'tracks', id: '1', $pivot: { weight: 1 } }])
await playlists.add('1', 'orderedTracks', (await playlists.linkage('2', 'orderedTracks')).data)
await playlists.replace('1', 'orderedTracks', [{ type: 'tracks', id: '1' }])
await playlists.remove('1', 'orderedTracks', [{ type: 'tracks', id: '1' }])
// refuses: Type '{ type: "tracks"; id: string; }' is not assignable to type 'AddedInput<Api, "playlists", "orderedTracks">'.
await playlists.create({ attributes: { title: 'x' }, relationships: { orderedTracks: [{ type: 'tracks', id: '1' }] } })
// refuses: Type '{ type: "tracks"; id: string; }' is not assignable to type 'AddedInput<Api, "playlists", "orderedTracks">'.
await atomic((batch) => [batch.add('playlists', '1', 'orderedTracks', [{ type: 'tracks', id: '1' }])])
// refuses: 'positon' does not exist in type
await playlists.add('1', 'orderedTracks', [{ type: 'tracks', id: '1', $pivot: { positon: 1 } }])
// refuses: Type 'string' is not assignable to type 'number'.
await playlists.add('1', 'orderedTracks', [{ type: 'tracks', id: '1', $pivot: { position: '1' } }])
// refuses: Type '"albums"' is not assignable to type '"tracks"'.
await playlists.add('1', 'orderedTracks', [{ type: 'albums', id: '1' }])
// refuses: Argument of type '"reisue"' is not assignable to parameter of type 'ActionName<Api, "albums", "resource">'.
await albums.act('1', 'reisue')
// refuses: Expected 3-4 arguments, but got 2.
await albums.act('1', 'reissue')
// refuses: 'titel' does not exist in type 'NewAttributes<Api, "albums">'. Did you mean to write 'title'?
await albums.act('1', 'reissue', { attributes: { titel: 'x' } })
// refuses: Argument of type 'string' is not assignable to parameter of type 'RawInput<
await albums.act('1', 'artwork', 'bytes')
export const reissued: string | undefined = (await albums.act('1', 'reissue', { attributes: { title: 'x' } }, { include: ['artist'] })).data.artist?.name
// refuses: Type '"artst"' is not assignable to type 'Includable<Api, "albums">'. Did you mean '"artist"'?
await albums.act('1', 'reissue', { attributes: { title: 'x' } }, { include: ['artst'] })
// refuses: Argument of type '"reissue"' is not assignable to parameter of type '"summary"'.
await albums.run('reissue')
// refuses: Property 'progress' does not exist on type
export const progressOfResult = (await jobs.get('1')).data.progress
const jobOrResult = (await jobs.get('1')).data
export const progress: number | null = jobOrResult.type === 'jobs' ? jobOrResult.progress : null
// refuses: This server has no dry runs: set 'dryRun' in its settings.
await albums.delete('1', { dryRun: true })
// refuses: 'ifMatch' does not exist in type 'OneQuery<Api, "albums", never, NoFieldsets, never>'.
await albums.get('1', { ifMatch: album.etag })
// refuses: Type 'number' is not assignable to type 'string'.
await albums.update('1', {}, { ifMatch: 1 })
// refuses: Object is possibly 'null'.
export const minimal = (await albums.update('1', {}, { prefer: 'return=minimal' })).data.title
// refuses: Argument of type '"VALIDATION_FAILD"' is not assignable to parameter of type 'ErrorCode'.
export const misspelt = (error: ClientError) => error.has('VALIDATION_FAILD')
// refuses: Property 'list' does not exist on type
await types.users.list()
// refuses: Name the contract of the server: createClient<Api>({ url }).
createClient({ url: 'https://music.example' })
// refuses: "The paths of this server are the names of its types and relations."
createClient<Api>({ url: 'https://music.example', paths: { albums: 'records' } })
// refuses: Property 'album' does not exist on type 'Types<Api>'. Did you mean 'albums'?
await types.album.list()
// refuses: Argument of type '"jobs"' is not assignable to parameter of type
await atomic((batch) => [batch.create('jobs', {})])
// refuses: Argument of type '"imports"' is not assignable to parameter of type
await atomic((batch) => [batch.create('imports', { attributes: { source: 'x' } })])
// refuses: Argument of type '"albms"' is not assignable to parameter of type 'BatchTypes<Api, "Create">'.
await atomic((batch) => [batch.create('albms', {})])
// refuses: Type 'CreatedStep<Api, "playlists">' is not assignable to type 'Identifier<"artists"> | LocalIdentifier<"artists"> | null | undefined'.
await atomic((batch) => [batch.create('albums', { attributes: { title: 'x' }, relationships: { artist: batch.create('playlists', { attributes: { title: 'x' } }) } })])
// refuses: Argument of type 'CreatedStep<Api, "artists">' is not assignable to parameter of type 'Target<"albums">'.
await atomic((batch) => [batch.update('albums', batch.create('artists', { attributes: { name: 'x' } }), {})])
// refuses: 'ifMatch' does not exist in type 'BatchOptions<Api>'.
await atomic((batch) => [batch.delete('albums', '1')], { ifMatch: '"1"' })
`

/** The same for a service with everything. */
const actionMisuses = `
import { createClient } from '@ashlar/client'
const paths = { albums: 'records', 'albums.tracks': 'songs' } as const
const { albums } = createClient<Api>({ url: 'https://music.example', paths, atomic: '/batch' }).types
export const played: string = (await albums.act('1', 'play')).data.title
export const undeleted: string = (await albums.act('1', 'undelete')).data.title
const next = await albums.act('1', 'next', null, { include: ['artist'] })
export const by: string | undefined = next.data?.artist?.name
// refuses: 'next.data' is possibly 'null'.
export const nullable = next.data.title
const similar = await albums.act('1', 'similar', null, { include: ['album'], fields: { tracks: ['album'], albums: ['title'] } })
export const titles: (string | undefined)[] = similar.data.map(({ album }) => album?.title)
// refuses: Property 'title' does not exist on type 'readonly
export const listed = similar.data.title
// refuses: Type '"artist"' is not assignable to type '"album"'.
await albums.act('1', 'similar', null, { include: ['artist'] })
// refuses: 'filter' does not exist in type
await albums.act('1', 'similar', null, { filter: { title: 'x' } })
`

/** The same for the queries and mutations of TanStack Query. */
const queryMisuses = `
import { QueryClient } from '@tanstack/query-core'
import { createClient } from '@ashlar/client'
import { createQueries } from '@ashlar/client/tanstack-query'
const queries = createQueries(createClient<Api>({ url: 'https://music.example' }))
const { albums, artists, imports, jobs, playlists, tracks } = queries.types
const cache = new QueryClient()
const context = { client: cache }
export const name: string | null | undefined = cache.getQueryData(albums.list({ include: ['artist'] }).queryKey)?.data[0]?.artist?.name
export const titles: string[] | undefined = cache
  .getQueryData(tracks.infinite({ fields: { tracks: ['title'] } }).queryKey)
  ?.pages.flatMap(({ data }) => data.map(({ title }) => title))
export const position: number | undefined = cache.getQueryData(playlists.related('1', 'orderedTracks').queryKey)?.data[0]?.$pivot.position
export const etag: string | null | undefined = cache.getQueryData(albums.get('1').queryKey)?.etag
export const ofAny = <T extends 'albums' | 'tracks'>(type: T): readonly unknown[] => queries.types[type].get('1').queryKey
// refuses: Type '"artst"' is not assignable to type 'Includable<Api, "albums">'. Did you mean '"artist"'?
albums.list({ include: ['artst'] })
// refuses: Property '$pivot' is missing in type
await playlists.add('orderedTracks').mutationFn({ id: '1', members: [{ type: 'tracks', id: '1' }] }, context)
// refuses: Type '"tracks.playlist"' is not assignable to type '"tracks.album" | "tracks.playlists"'. Did you mean '"tracks.playlists"'?
albums.infinite({ include: ['tracks.playlist'] })
// refuses: Type '"titel"' is not assignable to type 'FieldName<Api, "albums">'. Did you mean '"title"'?
albums.get('1', { fields: { albums: ['titel'] } })
// refuses: 'titel' does not exist in type 'Filters<Api, "albums">'. Did you mean to write 'title'?
albums.list({ filter: { titel: 'x' } })
// refuses: Did you mean to write 'include'?
albums.list({ includes: ['artist'] })
// refuses: Set 'headers' of the client: they are not part of the query key.
albums.list({ headers: { 'Accept-Language': 'is' } })
// refuses: TanStack Query has the signal: see queryClient.cancelQueries().
albums.get('1', { signal: AbortSignal.timeout(9) })
// refuses: Argument of type '"artst"' is not assignable to parameter of type 'RelationsThatAre<Api, "albums", "related">'.
albums.related('1', 'artst')
// refuses: Argument of type '"artist"' is not assignable to parameter of type '"tracks"'.
albums.infiniteRelated('1', 'artist')
// refuses: Property 'filter' is missing
artists.first({})
// refuses: Property 'first' does not exist on type 'TypeQueries<Api, "albums">'.
albums.first({})
// refuses: Property 'next' does not exist on type
cache.getQueryData(albums.list().queryKey)?.next()
// refuses: Property 'tracks' does not exist on type
export const excluded = cache.getQueryData(albums.get('1').queryKey)?.data.tracks
// refuses: Property 'create' does not exist on type 'TypeQueries<Api, "jobs">'.
jobs.create()
// refuses: Property 'update' does not exist on type 'TypeQueries<Api, "imports">'.
imports.update()
// refuses: 'titel' does not exist in type 'NewAttributes<Api, "albums">'. Did you mean to write 'title'?
await albums.create().mutationFn({ attributes: { titel: 'x' } }, context)
// refuses: Property 'id' is missing in type '{ attributes: { title: string; }; }'
await albums.update().mutationFn({ attributes: { title: 'x' } }, context)
// refuses: 'averageRating' does not exist in type 'ChangedAttributes<Api, "albums">'.
await albums.update().mutationFn({ id: '1', attributes: { averageRating: 3 } }, context)
// refuses: Type '"track"' is not assignable to type '"tracks"'.
await playlists.remove('orderedTracks').mutationFn({ id: '1', members: [{ type: 'track', id: '1' }] }, context)
// refuses: Argument of type '"reisue"' is not assignable to parameter of type 'ActionName<Api, "albums", "resource">'.
albums.act('reisue')
// refuses: Property 'input' is missing in type '{ id: string; }'
await albums.act('reissue').mutationFn({ id: '1' }, context)
// refuses: This server has no dry runs: set 'dryRun' in its settings.
albums.delete({ dryRun: true })
// refuses: Type '"album"' is not assignable to type
await queries.invalidate(cache, { type: 'album', id: '1' })
// refuses: Property 'album' does not exist on type
queries.types.album.list()
`

/** The lines of a program that must not compile, and the expected messages of the compiler. */
const refusedIn = (text: string): readonly { readonly line: number; readonly sentence: string }[] =>
  text.split('\n').flatMap((line, index) => {
    const sentence = /^\/\/ refuses: (.+)$/.exec(line)?.[1]
    return sentence === undefined ? [] : [{ line: index + 2, sentence }]
  })

const misused = [
  { by: 'a client', program: 'misuses', refused: refusedIn(misuses) },
  { by: 'actions', program: 'action-misuses', refused: refusedIn(actionMisuses) },
  { by: 'queries', program: 'query-misuses', refused: refusedIn(queryMisuses) },
]

const program = ({ module, name }: { readonly module: string; readonly name: string }): string => `
import type { ApiOf } from 'ashlar'
import type { server } from '${module}'
export interface Api extends ApiOf<typeof server, '${name}'> {}
`

describe('the contract', () => {
  let compilation: Compilation
  beforeAll(async () => {
    const files: Record<string, string> = { 'same.ts': same }
    for (const [index, each] of servers.entries()) {
      files[`written${index}.d.ts`] = each.server.contract(each.name)
      files[`inferred${index}.ts`] = program(each)
      files[`compared${index}.ts`] = `
import type { Differences, Same } from './same.js'
import type { Api as Inferred } from './inferred${index}.js'
import type { Api as Written } from './written${index}.js'
export const none: [Differences<Inferred, Written>] extends [never] ? 'none' : Differences<Inferred, Written> = 'none'
export const same: Same<Inferred, Written> = true
export const there = (written: Written): Inferred => written
export const back = (inferred: Inferred): Written => inferred
`
    }
    files['written-mistakes.ts'] = `import type { Api } from './written0.js'${mistakes}`
    files['inferred-mistakes.ts'] = `import type { Api } from './inferred0.js'${mistakes}`
    files['written-misuses.ts'] = `import type { Api } from './written0.js'${misuses}`
    files['inferred-misuses.ts'] = `import type { Api } from './inferred0.js'${misuses}`
    files['written-action-misuses.ts'] = `import type { Api } from './written2.js'${actionMisuses}`
    files['inferred-action-misuses.ts'] = `import type { Api } from './inferred2.js'${actionMisuses}`
    files['written-query-misuses.ts'] = `import type { Api } from './written0.js'${queryMisuses}`
    files['inferred-query-misuses.ts'] = `import type { Api } from './inferred0.js'${queryMisuses}`
    compilation = await compile(files)
  })

  it.each(servers.map(({ title }, index) => [title, index] as const))(
    'of %s is the same, written and inferred',
    (_title, index) => {
      expect(compilation.diagnosticsOf(`written${index}.d.ts`)).toEqual([])
      expect(compilation.diagnosticsOf(`inferred${index}.ts`)).toEqual([])
      expect(compilation.diagnosticsOf(`compared${index}.ts`)).toEqual([])
    },
  )

  it('refuses the same errors, one at each line', () => {
    const [written, inferred] = ['written', 'inferred'].map((source) =>
      compilation.diagnosticsOf(`${source}-mistakes.ts`),
    )
    expect(written?.map(({ line }) => line)).toEqual(Array.from({ length: 10 }, (_, index) => index + 3))
    expect(inferred?.map(({ line }) => line)).toEqual(written?.map(({ line }) => line))
  })

  it.each(servers)('of $title is written with the same bytes each time', ({ server, name }) => {
    expect(server.contract(name)).toBe(server.contract(name))
    expect(server.contract(name)).not.toMatch(/^import|import\(/m)
  })

  describe.each(
    misused.flatMap((each) => [
      { ...each, source: 'written' },
      { ...each, source: 'inferred' },
    ]),
  )('lets $by refuse, if it is $source,', ({ source, program: name, refused }) => {
    it.each(refused)('line $line: $sentence', ({ line, sentence }) => {
      const here = compilation.diagnosticsOf(`${source}-${name}.ts`).filter((each) => each.line === line)
      expect(here.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)])
    })

    it('nothing else, and each by a short message', () => {
      const lines = new Set(refused.map(({ line }) => line))
      const messages = compilation.diagnosticsOf(`${source}-${name}.ts`)
      expect(messages.filter(({ line }) => !lines.has(line))).toEqual([])
      // The compiler cuts the fields of a resource that it lists.
      expect(messages.filter(({ message }) => (message.split('\n')[0] ?? '').length > 420)).toEqual([])
    })
  })
})
