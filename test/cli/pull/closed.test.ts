import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testClient } from 'ashlar/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ashlar, type Ended } from '../../support/cli.js'
import { databases } from './pulled.js'

const tables = `
  create table artists (id integer primary key, name text not null);
  create table albums (id integer primary key, title text not null, artist_id integer references artists);
  insert into artists values (1, 'Radiohead');
`

const token = { headers: { authorization: 'Bearer token-of-tests' } }
const artist = { data: { type: 'artists', id: '2', attributes: { name: 'Björk' } } }
const renamed = { data: { type: 'artists', id: '1', attributes: { name: 'Björk' } } }

describe.each(['SQLite', 'PostgreSQL'] as const)('a service that is pulled from %s', (engine) => {
  test('asks for a caller, and denies all writes', async () => {
    const pulled = await databases[engine](tables)
    const { out } = await pulled.pull()
    expect(out).toMatch(/\nAn anonymous caller may read nothing and write nothing: policy of \S+\/src\/server\.ts\.$/)
    const client = testClient(await pulled.server())
    for (const path of ['/artists', '/artists/1', '/artists/1/albums', '/artists/9', '/docs', '/docs.json']) {
      const { status, text } = await client.get(path)
      expect([401, 404], `${path}: ${status}`).toContain(status)
      expect(text).not.toContain('Radiohead')
    }
    // The root document only names the collections.
    expect((await client.get('/')).document).not.toHaveProperty('data')
    expect((await client.get('/artists')).status).toBe(401)
    expect((await client.get('/artists', { headers: { authorization: 'Bearer x' } })).status).toBe(401)
    expect((await client.post('/artists', { body: artist })).status).toBe(401)
    expect((await client.patch('/artists/1', { body: renamed })).status).toBe(401)
    expect((await client.delete('/artists/1')).status).toBe(401)
    expect((await client.get('/artists?include=albums', token)).status).toBe(200)
    expect((await client.post('/artists', { body: artist, ...token })).status).toBe(403)
    expect((await client.patch('/artists/1', { body: renamed, ...token })).status).toBe(403)
    expect((await client.delete('/artists/1', token)).status).toBe(403)
    expect((await client.get('/artists?page[offset]=10', token)).status).toBe(400)
  })

  test('is opened by the lines that its comments propose', async () => {
    const pulled = await databases[engine](tables)
    await pulled.pull()
    const [, opening = ''] =
      /To let everyone read a type, add to its declaration: (.*)/.exec(pulled.text('server.ts')) ?? []
    const text = pulled.text('resources/artists.ts').replace('  id: id()', `  ${opening}\n  id: id()`)
    writeFileSync(join(pulled.folder, 'src/resources/artists.ts'), text)
    const { code, out } = await pulled.pull()
    expect(code).toBe(0)
    expect(out).toMatch(
      /\nAn anonymous caller may read artists and write nothing: policy of \S+server\.ts and of the types\.$/,
    )
    const client = testClient(await pulled.server())
    expect((await client.get('/artists')).status).toBe(200)
    expect((await client.get('/albums')).status).toBe(401)
    expect((await client.post('/artists', { body: artist })).status).toBe(401)
  })
})

test('nobody can sign in without the variable', async () => {
  const pulled = await databases.SQLite(tables)
  await pulled.pull()
  const client = testClient(await pulled.server({ token: undefined }))
  for (const authorization of ['Bearer', 'Bearer ', 'Bearer undefined', 'Bearer token-of-tests', '']) {
    expect((await client.get('/artists', { headers: { authorization } })).status).toBe(401)
  }
})

test('nothing is known about a server that was not pulled', async () => {
  const pulled = await databases.SQLite(tables)
  mkdirSync(join(pulled.folder, 'src'))
  writeFileSync(join(pulled.folder, 'src/server.ts'), 'export const server = build()\n')
  expect((await pulled.pull()).out).toMatch(
    /\nThe files do not show what an anonymous caller may do with albums, artists: see ashlar can --help\.$/,
  )
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pulled-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const pullInto = async (folder: string, address: string): Promise<Ended> =>
  ashlar('pull', address, '--output', join(folder, 'src/resources'))

describe('an empty folder', () => {
  test.each(['SQLite', 'PostgreSQL'] as const)('gets the files of a project on %s', async (engine) => {
    const { pullArguments } = await databases[engine](tables)
    const folder = join(emptyFolder(), 'My Shop')
    const { code, out, err } = await pullInto(folder, pullArguments[1] ?? '')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const name of [
      'package.json',
      'tsconfig.json',
      '.gitignore',
      '.env',
      'src/authentication.ts',
      'src/main.ts',
    ]) {
      expect(out).toMatch(new RegExp(`^added .*/${name.replaceAll('.', String.raw`\.`)}$`, 'm'))
    }
    expect(out).toMatch(/\nNext:\n {2}cd .*\n {2}npm install\n {2}npm run dev\nAn anonymous caller/)
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const driver = engine === 'SQLite' ? '@photostructure/sqlite' : 'pg'
    expect(manifest).toMatchObject({
      name: 'my-shop',
      type: 'module',
      scripts: { dev: 'ashlar dev', start: 'node dist/main.js' },
      dependencies: { ashlar: expect.any(String), kysely: expect.any(String), [driver]: expect.any(String) },
      devDependencies: { typescript: expect.any(String), '@types/node': expect.any(String) },
    })
    const environment = readFileSync(join(folder, '.env'), 'utf8')
    expect(environment).toMatch(/^API_TOKEN=[\w-]{32,}$/m)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8').split('\n')).toContain('.env')
    expect(out).not.toContain(/API_TOKEN=(\S+)/.exec(environment)?.[1])
  })

  test('a second pull writes none of them again', async () => {
    const { pullArguments } = await databases.SQLite(tables)
    const folder = emptyFolder()
    await pullInto(folder, pullArguments[1] ?? '')
    rmSync(join(folder, 'tsconfig.json'))
    const { out } = await pullInto(folder, pullArguments[1] ?? '')
    expect(out).toMatch(/\n2 types, 0 files changed\.\nAn anonymous/)
  })
})

test('files of a project that exist are not changed, and the command says what they lack', async () => {
  const pulled = await databases.SQLite(tables)
  const existing = {
    'package.json':
      '{ "type": "commonjs", "dependencies": { "ashlar": "*" }, "devDependencies": { "typescript": "*" } }',
    'tsconfig.json': '{}',
    '.gitignore': 'dist\n',
    '.env': 'DATABASE_FILE=shop.db\n',
  }
  for (const [name, text] of Object.entries(existing)) writeFileSync(join(pulled.folder, name), text)
  vi.stubEnv('npm_config_user_agent', 'pnpm/10.4.1 npm/? node/v22.14.0 linux x64')
  const { out } = await pulled.pull()
  for (const [name, text] of Object.entries(existing)) {
    expect(readFileSync(join(pulled.folder, name), 'utf8')).toBe(text)
  }
  expect(out).toMatch(
    /\nAdd to \.env: API_TOKEN=[\w-]{32,}\nAdd to \.gitignore: \.env\nThe service is an ES module: set/,
  )
  expect(out).toContain(
    '\n  pnpm add kysely @photostructure/sqlite\n  pnpm add -D @ashlar/cli @types/node oxc-transform\n  npx ashlar dev\n',
  )
})

test('a package.json with nothing but dependencies, as npm install writes it, is completed by a command', async () => {
  const pulled = await databases.SQLite(tables)
  writeFileSync(join(pulled.folder, 'package.json'), '{ "dependencies": { "ashlar": "*", "kysely": "*" } }')
  const { out } = await pulled.pull()
  expect(out).toContain(`
  npm pkg set type=module scripts.dev="ashlar dev" scripts.build=tsc
  npm install @photostructure/sqlite
  npm install -D @ashlar/cli @types/node oxc-transform typescript
  npx ashlar dev
`)
})
