import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Cancelled } from '../../../src/tools/cli/ask.js'
import { runCli } from '../../../src/tools/cli/run-cli.js'
import { ashlar, type Ended } from '../../support/cli.js'
import { databases, type PulledDatabase } from './pulled.js'

const engines = ['SQLite', 'PostgreSQL'] as const

const names = ['albums', 'artists', 'genres', 'labels', 'playlists', 'tracks']

const tables = names.map((name) => `create table ${name} (id integer primary key, name text not null);`).join('\n')

const dropped = (count: number): string =>
  names
    .slice(0, count)
    .map((name) => `drop table ${name};`)
    .join('\n')

/** Returns the texts of all files of the folder but the database, the record of the pull included. */
function contentOf({ folder }: PulledDatabase): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.endsWith('.db'))
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

/** Pulls on a terminal with this input. */
async function pullAnswering(
  { pullArguments }: PulledDatabase,
  answer: string | null,
): Promise<Ended & { readonly questions: readonly string[] }> {
  const [out, err, questions]: [string[], string[], string[]] = [[], [], []]
  const ask = async (question: string): Promise<string> => {
    questions.push(question)
    if (answer === null) throw new Cancelled('Cancelled.')
    return answer
  }
  const shell = { out: (text: string) => out.push(text), err: (text: string) => err.push(text), ask }
  return { code: await runCli(pullArguments, shell), out: out.join('\n'), err: err.join('\n'), questions }
}

async function pulledFrom(engine: (typeof engines)[number], sql = tables): Promise<PulledDatabase> {
  const pulled = await databases[engine](sql)
  expect(await pulled.pull()).toMatchObject({ code: 0, err: '' })
  return pulled
}

/** Expects that a pull fails with a message, and that it leaves all files as they are. */
async function expectRefused(pulled: PulledDatabase, ended: () => Promise<Ended>, message: RegExp): Promise<void> {
  const before = contentOf(pulled)
  const { code, out, err } = await ended()
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(message) })
  expect(contentOf(pulled)).toEqual(before)
}

describe.each(engines)('a pull from %s that would remove files', (engine) => {
  test('removes three without a question', async () => {
    const pulled = await pulledFrom(engine)
    await pulled.run(dropped(3))
    const { code, out } = await pulled.pull()
    expect(code).toBe(0)
    expect(out.match(/^removed /gm)).toHaveLength(3)
    expect(Object.keys(pulled.texts())).not.toContain('resources/albums.ts')
  })

  test('is refused for more, and changes nothing, until --yes permits it', async () => {
    const pulled = await pulledFrom(engine)
    await pulled.run(`${dropped(4)} alter table tracks add column length integer;`)
    const before = contentOf(pulled)
    const { code, out, err } = await pulled.pull()
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(
      /^Nothing is changed, because 4 files would be removed: the database does not have their tables any more, or they are not served\.\n( {2}- \S+\/src\/resources\/(?:albums|artists|genres|labels)\.ts\n){4}Remedy: if that is intended, repeat the command with --yes\.$/,
    )
    expect(contentOf(pulled)).toEqual(before)
    expect(JSON.parse((await pulled.pull('--json')).out)).toMatchObject({ removals: expect.any(Array) })
    expect(contentOf(pulled)).toEqual(before)
    const { code: permitted, out: shown } = await pulled.pull('--yes')
    expect(permitted).toBe(0)
    expect(shown.match(/^removed /gm)).toHaveLength(4)
    expect(pulled.text('resources/tracks.ts')).toContain('length: a.integer()')
  })

  test('asks on a terminal', async () => {
    const pulled = await pulledFrom(engine)
    await pulled.run(dropped(5))
    const before = contentOf(pulled)
    for (const [answer, code] of [
      ['', 1],
      ['no', 1],
      [null, 2],
    ] as const) {
      const refused = await pullAnswering(pulled, answer)
      expect(refused).toMatchObject({ code, questions: ['Remove 5 files? (y/N): '] })
      expect(refused.out).toContain('albums.ts')
      expect(contentOf(pulled)).toEqual(before)
    }
    expect((await pullAnswering(pulled, 'y')).code).toBe(0)
    expect(Object.keys(pulled.texts())).not.toContain('resources/albums.ts')
  })

  test('is only described with --check', async () => {
    const pulled = await pulledFrom(engine)
    await pulled.run(dropped(5))
    const before = contentOf(pulled)
    const { code, out } = await pulled.pull('--check')
    expect(code).toBe(1)
    expect(out.match(/^removed /gm)).toHaveLength(5)
    expect(contentOf(pulled)).toEqual(before)
  })
})

describe.each(engines)('a pull from %s that can only be a mistake ends with 2, and changes nothing', (engine) => {
  test('no tables', async () => {
    const pulled = await pulledFrom(engine)
    await pulled.run(dropped(6))
    await expectRefused(pulled, () => pulled.pull('--yes'), /^The .*has no tables\./)
    const empty = await databases[engine]('create table gone (id integer primary key); drop table gone;')
    await expectRefused(empty, () => empty.pull(), /^The .*has no tables\./)
  })

  test('no table that can be served', async () => {
    const pulled = await pulledFrom(engine)
    await pulled.run('create table log (line text);')
    const excluded = names.flatMap((name) => ['--exclude', name])
    const message = /^No table can be served:\n {2}- albums: It is excluded[^]*\n {2}- log: It has no primary key/
    await expectRefused(pulled, () => pulled.pull(...excluded, '--yes'), message)
  })

  test('another database', async () => {
    const pulled = await pulledFrom(engine)
    const other = await databases[engine](`
      create table albums (id integer primary key, name text not null);
      create table posts (id integer primary key);
      create table comments (id integer primary key);
    `)
    // The same name, and no table in common.
    await pulled.run(`${dropped(6)} create table posts (id integer primary key);`)
    await expectRefused(
      pulled,
      () => pulled.pull('--yes'),
      /was pulled from another database[^]*has none of its 6 tables/,
    )
    // One table in common, and another name.
    const record = join(pulled.folder, 'src/resources/pulled.json')
    const renamed = readFileSync(record, 'utf8').replace(/"name": ".*"/, '"name": "music"')
    writeFileSync(record, renamed)
    await expectRefused(
      pulled,
      () => other.pullInto(pulled, '--yes'),
      /was pulled from another database, 'music'[^]*lacks 5 of its 6 tables, such as 'artists'/,
    )
  })

  test('the same tables under another name of the database are no other database', async () => {
    const pulled = await pulledFrom(engine)
    const record = join(pulled.folder, 'src/resources/pulled.json')
    const renamed = readFileSync(record, 'utf8').replace(/"name": ".*"/, '"name": "music"')
    writeFileSync(record, renamed)
    expect((await pulled.pull()).out).toMatch(/, 0 files changed\./)
    expect(readFileSync(record, 'utf8')).toBe(renamed)
    // The remedy of the message: without the name, tables may be missing.
    await pulled.run(dropped(1))
    expect((await pulled.pull()).code).toBe(2)
    const { database: _database, ...rest } = JSON.parse(renamed) as { readonly database: object }
    writeFileSync(record, JSON.stringify(rest))
    expect((await pulled.pull()).code).toBe(0)
    expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ database: { tables: names.slice(1) } })
  })

  test('an unknown schema', async () => {
    const pulled = await pulledFrom(engine)
    const message =
      engine === 'SQLite'
        ? /^An SQLite file has only the schema 'main', not 'shopp'\./
        : /^The database '\w+' has no schema 'shopp'\. Its schemas: .*\bpublic\b/
    await expectRefused(pulled, () => pulled.pull('--schema', 'shopp', '--yes'), message)
  })

  test('a directory of another engine', async () => {
    const pulled = await pulledFrom(engine)
    const other = await databases[engine === 'SQLite' ? 'PostgreSQL' : 'SQLite'](tables)
    await expectRefused(
      pulled,
      () => other.pullInto(pulled, '--yes'),
      /was pulled from another database[^]* is in (?:PostgreSQL|SQLite), not in /,
    )
  })
})

test('a URL of PostgreSQL with another host is the same database', async () => {
  const pulled = await pulledFrom('PostgreSQL')
  await pulled.run(dropped(1))
  const [command = '', address = '', ...rest] = pulled.pullArguments
  const url = new URL(address)
  expect(url.hostname).toBe('127.0.0.1')
  url.hostname = 'localhost'
  expect((await ashlar(command, url.href, ...rest)).out).toContain('\n5 types, ')
  const record: unknown = JSON.parse(readFileSync(join(pulled.folder, 'src/resources/pulled.json'), 'utf8'))
  const name = decodeURIComponent(url.pathname.slice(1))
  expect(record).toMatchObject({ database: { engine: 'postgres', name, tables: names.slice(1) } })
  expect(Object.keys((record as { readonly database: object }).database)).toEqual(['engine', 'name', 'tables'])
})
