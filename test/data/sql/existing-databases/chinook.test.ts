import { expectErrors } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { chinook, chinookTables } from './chinook.js'
import { identifier, includedIds, linkedIds, type Requests, requestsTo, toMany, toNew, toOne } from './requests.js'

describe.each(emptyDatabases)('Tables with quoted, upper-case names on %s', (engine, open) => {
  let scratch: EmptyDatabase
  let requests: Requests
  beforeEach(async () => {
    scratch = await open()
    await scratch.run(chinookTables(engine))
    requests = requestsTo(chinook(scratch.database))
  })
  afterEach(() => scratch.end())

  test('match the declarations, and sorts of cursor pages want indexes', async () => {
    const server = chinook(scratch.database)
    await server.ready()
    const { missing, unsound, advice } = await server.inspect()
    expect({ missing, unsound }).toEqual({ missing: [], unsound: [] })
    expect(advice.map((sentence) => sentence.replace(/ collate \S+?(?=,)/, ''))).toEqual(
      ['Name', 'Milliseconds', 'UnitPrice'].map(
        (column) =>
          `The table 'Track' has no index that begins with '${column}', by which 'tracks' can be sorted and is paged with cursors.`,
      ),
    )
  })

  test('a column that is missing is reported by name', async () => {
    await scratch.run('alter table "Artist" rename column "Name" to "Artist Name"')
    await expect(chinook(scratch.database).ready()).rejects.toThrow(
      "The table 'Artist' has no column 'name' for the attribute 'name' of 'artists'. Add it in a new migration, or name another column with storedAs().",
    )
  })

  test('are read with include, filters, sorts, pages and fieldsets', async () => {
    const artists = await requests.get('/artists?include=albums.tracks&sort=-name&fields[tracks]=name')
    expect(artists.resources.map((each) => [each.id, ...linkedIds(each, 'albums')])).toEqual([
      ['3'],
      ['1', '1', '2'],
      ['2', '3'],
    ])
    expect(includedIds(artists, 'tracks')).toEqual(['1', '2', '3', '4'])
    expect(artists.document?.included?.find(({ type }) => type === 'tracks')?.attributes).toEqual({ name: 'Airbag' })
    expect(await requests.ids('/albums?filter[artist.name]=Radiohead&sort=title')).toEqual(['2', '1'])
    expect(await requests.ids('/albums?filter[artist]=2')).toEqual(['3'])
    expect(
      await requests.ids('/tracks?filter[unitPrice][min]=0.99&filter[unitPrice][max]=1.5&sort=-unitPrice,id'),
    ).toEqual(['3', '1', '2'])
    expect(await requests.ids('/tracks?filter[bytes][min]=9007199254740993')).toEqual(['1'])
    expect(await requests.ids('/tracks?filter[noComposer]=1')).toEqual(['1'])
    expect(await requests.idsOfPages('/tracks?sort=-unitPrice,name&page[size]=1')).toEqual(['4', '3', '1', '2'])
    const { resource } = await requests.get('/tracks/1?fields[tracks]=bytes,unitPrice,artistName')
    expect(resource.attributes).toEqual({ bytes: '9007199254740993', unitPrice: 0.99, artistName: 'Radiohead' })
  })

  test('dates over timestamps are shown, filtered and sent back as days', async () => {
    const { resource } = await requests.get('/employees/2')
    expect(resource.attributes).toMatchObject({ birthDate: '1958-12-08', hireDate: '2002-05-01T08:30:00+00:00' })
    expect(
      await requests.ids('/employees?filter[birthDate][min]=1958-12-08&filter[birthDate][max]=1960-01-01'),
    ).toEqual(['2'])
    expect(await requests.ids('/employees?sort=birthDate')).toEqual(['2', '1', '3'])
    expect((await requests.update('employees', '2', { attributes: resource.attributes })).status).toBe(200)
    expect((await requests.update('employees', '3', { attributes: { birthDate: '1973-08-29' } })).status).toBe(200)
    const text = engine === 'SQLite' ? '"BirthDate"' : 'to_char("BirthDate", \'YYYY-MM-DD HH24:MI:SS\')'
    expect(
      await scratch.rows(`select ${text} as day from "Employee" where "EmployeeId" > 1 order by "EmployeeId"`),
    ).toEqual([{ day: '1958-12-08 00:00:00' }, { day: '1973-08-29 00:00:00' }])
  })

  test('rows are created, updated and deleted, with keys that the database always makes', async () => {
    const artist = await requests.create('artists', { attributes: { name: 'Portishead' } })
    expect([artist.status, artist.resource.id]).toEqual([201, '4'])
    const album = await requests.create('albums', {
      attributes: { title: 'Dummy' },
      relationships: { artist: toOne('artists', '4') },
    })
    expect(album.resource.id).toBe('4')
    const renamed = await requests.update('albums', '4', { attributes: { title: 'Third' } })
    expect(renamed.resource.attributes).toEqual({ title: 'Third' })
    expectErrors(await requests.remove('/artists/4'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    expect((await requests.remove('/albums/4')).status).toBe(204)
    expect((await requests.remove('/artists/4')).status).toBe(204)
    const track = { name: 'Roads', milliseconds: 1, bytes: '9223372036854775807', unitPrice: 1.1 }
    const created = await requests.create('tracks', {
      attributes: track,
      relationships: { playlists: toMany('playlists', '2') },
    })
    expect(created.resource.attributes).toMatchObject(track)
    expect(await requests.ids('/playlists/2/tracks')).toEqual(['5'])
  })

  test('to-one relationships are written over foreign keys', async () => {
    expect((await requests.relate('PATCH', '/albums/3/relationships/artist', identifier('artists', '1'))).status).toBe(
      204,
    )
    expect(await requests.ids('/artists/1/albums')).toEqual(['1', '2', '3'])
    expectErrors(await requests.relate('PATCH', '/albums/3/relationships/artist', null), [
      { status: 422, pointer: '/data' },
    ])
    expectErrors(await requests.relate('PATCH', '/albums/3/relationships/artist', identifier('artists', '99')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
    expect((await requests.relate('PATCH', '/customers/1/relationships/supportRep', null)).status).toBe(204)
    expect(await requests.ids('/employees/3/customers')).toEqual([])
  })

  test('to-many relationships are written as join rows with a composite key', async () => {
    const tracks = '/playlists/1/relationships/tracks'
    await requests.relate('POST', tracks, toMany('tracks', '3', '1').data)
    expect(await requests.ids('/playlists/1/tracks')).toEqual(['1', '2', '3', '4'])
    await requests.relate('DELETE', tracks, toMany('tracks', '1', '2').data)
    expect(await requests.ids('/playlists/1/tracks')).toEqual(['3', '4'])
    await requests.relate('PATCH', tracks, toMany('tracks', '2').data)
    await requests.relate('PATCH', '/tracks/4/relationships/playlists', toMany('playlists', '1', '2').data)
    const rows = await scratch.rows('select "PlaylistId", "TrackId" from "PlaylistTrack" order by 1, 2')
    expect(rows).toEqual([
      { PlaylistId: 1, TrackId: 2 },
      { PlaylistId: 1, TrackId: 4 },
      { PlaylistId: 2, TrackId: 4 },
    ])
  })

  test('a self reference is read and written from both ends', async () => {
    const edwards = await requests.get('/employees/2?include=manager,reports')
    expect([linkedIds(edwards.resource, 'manager'), linkedIds(edwards.resource, 'reports')]).toEqual([['1'], ['3']])
    expect(await requests.ids('/employees?filter[manager.lastName]=Adams')).toEqual(['2'])
    await requests.relate('PATCH', '/employees/1/relationships/reports', toMany('employees', '3').data)
    await requests.relate('PATCH', '/employees/1/relationships/manager', identifier('employees', '1'))
    expect(await scratch.rows('select "EmployeeId", "ReportsTo" from "Employee" order by 1')).toEqual([
      { EmployeeId: 1, ReportsTo: 1 },
      { EmployeeId: 2, ReportsTo: null },
      { EmployeeId: 3, ReportsTo: 1 },
    ])
  })

  test('a batch writes several tables, or nothing', async () => {
    const done = await requests.batch(
      { op: 'add', data: { type: 'artists', lid: 'low', attributes: { name: 'Low' } } },
      {
        op: 'add',
        data: {
          type: 'albums',
          lid: 'hey',
          attributes: { title: 'Hey What' },
          relationships: { artist: toNew('artists', 'low') },
        },
      },
      {
        op: 'add',
        data: {
          type: 'tracks',
          lid: 'days',
          attributes: { name: 'Days', milliseconds: 1, unitPrice: 1 },
          relationships: { album: toNew('albums', 'hey') },
        },
      },
      {
        op: 'add',
        ref: { type: 'playlists', id: '2', relationship: 'tracks' },
        data: [{ type: 'tracks', lid: 'days' }],
      },
      { op: 'update', data: { type: 'employees', id: '2', relationships: { manager: { data: null } } } },
      { op: 'remove', ref: { type: 'invoice-lines', id: '3' } },
    )
    expect(done.status).toBe(200)
    const playlist = await requests.get('/playlists/2?include=tracks.album.artist')
    expect(includedIds(playlist, 'artists')).toEqual(['4'])
    expect(await requests.ids('/invoices/2/lines')).toEqual([])

    const refused = await requests.batch(
      { op: 'add', data: { type: 'artists', attributes: { name: 'Gone' } } },
      { op: 'remove', ref: { type: 'artists', id: '1' } },
    )
    expectErrors(refused, [{ status: 409, code: 'RESOURCE_IN_USE', pointer: '/atomic:operations/1' }])
    expect(await requests.ids('/artists?filter[name]=Gone')).toEqual([])
  })
})
