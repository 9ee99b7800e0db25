import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ashlar } from '../../support/cli.js'
import { sourceFolder } from '../../support/source-folder.js'
import { databases, type PulledDatabase } from './pulled.js'

const tables = `
  create table artists (id integer primary key, name text not null);
  create table albums (
    id integer primary key,
    title varchar(160) not null,
    year integer,
    artist_id integer not null references artists
  );
  create index albums_of_artist on albums (artist_id);
  create table genres (id integer primary key, name text not null);
  insert into artists values (1, 'Radiohead');
`

const edit = (pulled: PulledDatabase, path: string, change: (text: string) => string): void => {
  writeFileSync(join(pulled.folder, 'src', path), change(pulled.text(path)))
}

const edited = (text: string): string =>
  text
    .replace('maxLength(160)', 'maxLength(160).describedAs("As on the cover.")')
    .replace('\n  relations', "\n  // Everybody may read.\n  defaultSort: ['title'],\n  relations")
    .replace('title: a.string()', 'title: a\n      .string()\n      .sortable()')

test('a second pull adds what the database has changed, shows it, and retains manual edits', async () => {
  const pulled = await databases.SQLite(tables)
  expect((await pulled.pull()).code).toBe(0)
  edit(pulled, 'resources/albums.ts', edited)
  edit(pulled, 'server.ts', (text) => text.replace('  resources,', '  resources,\n  limits: { pageSize: 50 },'))
  await pulled.run(`
    alter table albums add column label text;
    alter table albums drop column year;
    create table tracks (id integer primary key, title text not null, album_id integer not null references albums);
    drop table genres;
  `)
  const { code, out, err } = await pulled.pull()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const shown = out.split('\n').map((line) => line.trimEnd())
  expect(shown).toContain('  -   year: number | null')
  expect(shown).toContain('  +   label: string | null')
  expect(shown).toContain("  +     tracks: hasMany('tracks'),")
  expect(out).toMatch(/removed {2}\S*genres\.ts\n/)
  expect(out).toMatch(/added {4}\S*tracks\.ts\n/)
  expect(pulled.text('resources/albums.ts')).toBe(`import { belongsTo, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface AlbumRow {
  id: number
  title: string
  artistId: number
  label: string | null
}

export const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a
      .string()
      .sortable().required().maxLength(160).describedAs("As on the cover."),
    label: a.string().nullable(),
  }),
  // Everybody may read.
  defaultSort: ['title'],
  relations: {
    artist: belongsTo('artists').required().filterable(),
    tracks: hasMany('tracks'),
  },
})
`)
  expect(pulled.text('server.ts')).toContain('limits: { pageSize: 50 },')
  expect(pulled.text('server.ts')).toContain("'relation-index:albums.tracks'")
  expect(pulled.text('resources.snapshot.ts')).toContain("'./resources/tracks.js'")
  expect((await pulled.pull()).out).toMatch(/, 0 files changed\.\n/)
  await pulled.run('create index tracks_of_album on tracks (album_id)')
  expect((await pulled.pull()).code).toBe(0)
  expect(pulled.text('server.ts')).not.toContain('relation-index')
  expect(pulled.text('server.ts')).toContain('limits: { pageSize: 50 },')
})

test('--check writes nothing, and ends with 1 if the database has changed', async () => {
  const pulled = await databases.SQLite(tables)
  await pulled.pull()
  const before = pulled.texts()
  await pulled.run('alter table artists add column born date')
  const { code, out } = await pulled.pull('--check')
  expect(code).toBe(1)
  expect(out).toContain('+     born: a.date().nullable(),')
  expect(out).toMatch(/3 types, 1 file would change\.\n/)
  expect(pulled.texts()).toEqual(before)
})

test('lines that both sides have changed stay as they were edited, and are reported once', async () => {
  const pulled = await databases.SQLite(tables)
  await pulled.pull()
  edit(pulled, 'resources/albums.ts', (text) => text.replace('maxLength(160)', 'maxLength(50)'))
  await pulled.run(`
    create table copy (id integer primary key, title varchar(200) not null, year integer, artist_id integer not null references artists);
    drop table albums;
    alter table copy rename to albums;
  `)
  const { code, err } = await pulled.pull()
  expect(code).toBe(1)
  expect(err).toContain(
    'albums.ts: both sides have changed const albums > attributes > title > maxLength. Yours stays; the pull has .maxLength(200)',
  )
  expect(pulled.text('resources/albums.ts')).toContain('maxLength(50)')
  expect(await pulled.pull()).toMatchObject({ code: 0, err: '' })
})

test('files that were not pulled, edited files of tables that are gone, and removed files stay as they are', async () => {
  const pulled = await databases.SQLite(tables)
  await pulled.pull('--exclude', 'genres')
  writeFileSync(join(pulled.folder, 'src/resources/genres.ts'), '// mine\n')
  edit(pulled, 'resources/artists.ts', (text) => `${text}\n// mine\n`)
  rmSync(join(pulled.folder, 'src/main.ts'))
  await pulled.run('drop table albums; drop table artists')
  const { out } = await pulled.pull('--exclude', 'none')
  expect(out).toMatch(/skipped {2}\S*genres\.ts: It was not pulled\./)
  expect(out).toMatch(
    /skipped {2}\S*artists\.ts: Its table does not exist or is not served any more, but the file was edited/,
  )
  expect(out).toMatch(/skipped {2}\S*main\.ts: The file was removed, and is not created again\./)
  expect(pulled.text('resources/genres.ts')).toBe('// mine\n')
})

test('a server that was there before is never changed, also if the database changes later', async () => {
  const pulled = await databases.SQLite(tables)
  const text = 'export const server = createServer({ resources: [] })\n'
  mkdirSync(join(pulled.folder, 'src'))
  writeFileSync(join(pulled.folder, 'src/server.ts'), text)
  expect((await pulled.pull()).out).toMatch(/skipped {2}\S*server\.ts: It was not pulled\./)
  await pulled.run('drop index albums_of_artist')
  expect((await pulled.pull()).out).toMatch(/skipped {2}\S*server\.ts: It was not pulled\./)
  expect(pulled.text('server.ts')).toBe(text)
})

test('a second pull has the options of the first', async () => {
  const pulled = await databases.SQLite(tables)
  await pulled.pull('--casing', 'snake_case', '--exclude', 'genres')
  expect(pulled.text('resources/albums.ts')).toContain("artist: belongsTo('artists').via('artist_id').required()")
  expect((await pulled.pull()).out).toMatch(/2 types, 0 files changed\.\n/)
  const record: unknown = JSON.parse(readFileSync(join(pulled.folder, 'src/resources/pulled.json'), 'utf8'))
  expect(record).toMatchObject({ casing: 'snake_case', schema: null, exclude: ['genres'] })
  expect((await pulled.pull('--exclude', '')).out).toContain('\n3 types, ')
})

test('a view that is broken is listed with its reason, and prevents nothing', async () => {
  const pulled = await databases.SQLite(
    `${tables} create table gone (id); create view odd as select * from gone; drop table gone;`,
  )
  const { code, out } = await pulled.pull()
  expect(code).toBe(0)
  expect(out).toContain('\n3 types, ')
  expect(out).toContain('  odd: The view cannot be read: no such table: main.gone. Fix or drop it, and pull again.')
  expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
})

test('notes are printed again only if they have changed', async () => {
  const pulled = await databases.SQLite(
    `${tables} create table log (line text); create table users (id integer primary key, password text);`,
  )
  const first = (await pulled.pull()).out
  expect(first).toContain('\n  users: password.\n')
  expect(first).toContain('\n  log: It has no primary key')
  expect(first).not.toContain('as in the last pull')
  const second = (await pulled.pull()).out
  expect(second).not.toContain('  log: ')
  expect(second).not.toContain('users: ')
  expect(second).toMatch(/^2 notes as in the last pull: see \S*pulled\.json\.\n4 types, 0 files changed\.\n/)
  await pulled.run('create table audit (line text); alter table users add column reset_token text')
  const third = (await pulled.pull()).out
  expect(third).toContain('\n  users: password, reset_token.\n')
  expect(third).toContain('\n  audit: It has no primary key')
  expect(third).toContain('\n1 note as in the last pull')
  const all = JSON.parse((await pulled.pull('--json')).out) as { readonly notes: readonly object[] }
  expect(all.notes).toHaveLength(3)
})

test('--json has the files, their differences and the notes', async () => {
  const pulled = await databases.SQLite(`${tables} create table log (line text);`)
  const { out } = await pulled.pull('--json')
  expect(JSON.parse(out)).toMatchObject({
    types: ['albums', 'artists', 'genres'],
    files: expect.arrayContaining([expect.objectContaining({ path: 'albums.ts', state: 'added', conflicts: [] })]),
    notes: [{ kind: 'notServed', subject: 'log', sentence: expect.stringContaining('no primary key') }],
  })
})

test.each([
  { name: 'no such file', address: 'absent.db', message: "There is no file 'absent.db'." },
  { name: 'another database', address: 'mysql://localhost/x', message: "'mysql' is not a known kind of database" },
  { name: 'no server', address: 'postgres://127.0.0.1:1/x', message: 'No PostgreSQL server listens at 127.0.0.1:1.' },
  { name: 'no database', address: 'package.json', message: 'database' },
])('ends with 2 for $name', async ({ address, message }) => {
  const folder = sourceFolder({})
  const { code, err } = await ashlar('pull', address, '--output', join(folder, 'resources'))
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
})

test('does not change the file of the database', async () => {
  const pulled = await databases.SQLite(tables)
  const file = join(pulled.folder, 'data.db')
  const before = readFileSync(file)
  await pulled.pull()
  expect(readFileSync(file).equals(before)).toBe(true)
  const written = ['.env', '.gitignore', 'data.db', 'package.json', 'src', 'tsconfig.json']
  expect(readdirSync(pulled.folder).toSorted()).toEqual(written)
})

test('a schema of PostgreSQL by its name', async () => {
  const pulled = await databases.PostgreSQL(`
    create schema "the shop";
    create table "the shop".albums (id serial primary key, title text not null);
    create table other (id serial primary key);
    insert into "the shop".albums (title) values ('Kid A');
  `)
  expect((await pulled.pull('--schema', 'the shop')).out).toContain('1 type, ')
  expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
  expect((await (await pulled.client()).get('/albums/1')).status).toBe(200)
})
