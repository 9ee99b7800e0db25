import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { listen } from 'ashlar/node'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startErrorText } from '../../examples/music/src/start-error.js'
import { isOn, settings } from '../../examples/music/src/settings.js'
import { musicServer } from '../../examples/music/src/service.js'
import { openStorage } from '../../examples/music/src/storage/storage.js'
import { execute, serverAddress } from '../support/scratch-database.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ashlar-start-error-'))
  writeFileSync(join(folder, 'file'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The message to a user whose environment sets the address to listen at. */
async function listenMessage(listening: { readonly port?: number; readonly host?: string }): Promise<string | null> {
  const options = { port: 0, host: '127.0.0.1', ...listening }
  vi.spyOn(settings, 'listening', 'get').mockReturnValue(options)
  return startErrorText(await failureOf(listen(() => Promise.reject(new Error('No request is expected.')), options)))
}

/** The message to a user whose environment sets the database. */
async function storageMessage(location: { readonly url?: string; readonly folder: string }): Promise<string | null> {
  vi.spyOn(settings, 'storage', 'get').mockReturnValue(location)
  return startErrorText(await failureOf(openStorage(location)))
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('It does not fail.'),
    (error: unknown) => error,
  )
}

/** A port of this machine during the test; connections are passed to the listener. */
async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('one sentence names the remedy for the base of links:', () => {
  test.each(['music.example', '/api', 'https://music.example?x=1'])('BASE_URI is %s', async (baseUri) => {
    vi.spyOn(settings, 'links', 'get').mockReturnValue({ baseUri, trustProxy: false })
    const storage = await openStorage({ folder: join(folder, 'links') })
    onTestFinished(() => storage.close())
    expect(startErrorText(await failureOf((async () => musicServer(storage))()))).toBe(
      `BASE_URI is '${baseUri}', which cannot be the base of links: write an absolute URL, https://music.example/api.`,
    )
  })
})

test.each([
  ['1', true],
  ['true', true],
  ['TRUE', true],
  ['0', false],
  ['false', false],
  ['', false],
])('TRUST_PROXY=%s is %s', (text, isTrusted) => {
  expect(isOn(text)).toBe(isTrusted)
})

describe('one sentence names the remedy for the address to listen at:', () => {
  test('its port is in use', async () => {
    const port = await portOf(createServer())
    expect(await listenMessage({ port })).toBe(
      `Port ${port} is in use: stop the program that listens there, or choose another port with PORT=3001.`,
    )
  })

  test('PORT is no port', async () => {
    for (const PORT of ['music', '65536']) {
      vi.stubEnv('PORT', PORT)
      expect(await listenMessage({ port: Number(PORT) })).toBe(
        `PORT is '${PORT}', which is not a port: set a number up to 65535.`,
      )
    }
  })

  test('the port needs more rights', () => {
    vi.spyOn(settings, 'listening', 'get').mockReturnValue({ port: 80, host: '127.0.0.1' })
    const error = Object.assign(new Error('listen EACCES: permission denied'), { code: 'EACCES', syscall: 'listen' })
    expect(startErrorText(error)).toBe('Port 80 needs more rights: choose one above 1023 with PORT=3001.')
  })

  test('HOST is not an address of the machine', async () => {
    expect(await listenMessage({ host: '192.0.2.1' })).toBe(
      "HOST is '192.0.2.1', which is not an address of this machine (EADDRNOTAVAIL).",
    )
  })

  test('HOST is an unknown name', async () => {
    expect(await listenMessage({ host: 'nobody.invalid' })).toMatch(
      /^HOST is 'nobody\.invalid', which is not an address of this machine \((?:ENOTFOUND|EAI_AGAIN)\)\.$/,
    )
  })
})

describe('one sentence names the remedy for the folder of SQLite:', () => {
  test('it cannot be created', async () => {
    const below = join(folder, 'file/below')
    expect(await storageMessage({ folder: below })).toBe(
      `The folder ${below} cannot be created (ENOTDIR): choose another with DATA_DIR=/path/to/folder.`,
    )
  })

  test('the file in it is not a database', async () => {
    const text = join(folder, 'text')
    mkdirSync(text)
    writeFileSync(join(text, 'music.db'), 'Any text that is no database. '.repeat(100))
    expect(await storageMessage({ folder: text })).toBe(
      `The database in ${text} cannot be used (file is not a database): ` +
        'check that you may write there, or choose another folder with DATA_DIR=/path/to/folder.',
    )
  })

  test('it contains a folder instead of the file', async () => {
    const nested = join(folder, 'nested')
    mkdirSync(join(nested, 'music.db'), { recursive: true })
    expect(await storageMessage({ folder: nested })).toBe(
      `The database in ${nested} cannot be used (Failed to open database: unable to open database file): ` +
        'check that you may write there, or choose another folder with DATA_DIR=/path/to/folder.',
    )
  })
})

describe('one sentence names the remedy for the address of PostgreSQL:', () => {
  test.each(['music', 'mysql://127.0.0.1/music', 'postgres://user:secret@localhost:port/music'])(
    'DATABASE_URL=%s is not an address',
    async (url) => {
      expect(await storageMessage({ url, folder })).toBe(
        'DATABASE_URL is not a URL of PostgreSQL: write postgres://user:password@host:5432/database.',
      )
    },
  )

  test('there is no server', async () => {
    const closed = createServer()
    const port = await portOf(closed)
    closed.close()
    expect(await storageMessage({ url: `postgres://user:secret@127.0.0.1:${port}/music`, folder })).toBe(
      `PostgreSQL at 127.0.0.1:${port} cannot be reached (ECONNREFUSED): check that it runs, and that DATABASE_URL is right.`,
    )
  })

  test('the server closes the connection', async () => {
    const port = await portOf(createServer((socket) => socket.end()))
    expect(await storageMessage({ url: `postgres://user:secret@127.0.0.1:${port}/music`, folder })).toMatch(
      /^PostgreSQL at [\d.:]+ cannot be reached \(.+\): check that it runs, and that DATABASE_URL is right\.$/,
    )
  })

  test('the password is wrong, which is not repeated', async ({ skip }) => {
    const url = new URL(serverAddress({ password: 'not-this-one' }))
    const isLetIn = await execute('select 1', url.href).then(
      () => true,
      () => false,
    )
    skip(isLetIn, 'The PostgreSQL server of the tests asks nobody for a password.')
    expect(await storageMessage({ url: url.href, folder })).toBe(
      `PostgreSQL at ${url.host} refuses the connection (password authentication failed for user "${url.username}"): ` +
        'check user, password and database of DATABASE_URL.',
    )
  })

  test('there is no such database', async () => {
    const url = new URL(serverAddress({ pathname: '/nowhere' }))
    expect(await storageMessage({ url: url.href, folder })).toBe(
      `PostgreSQL at ${url.host} refuses the connection (database "nowhere" does not exist): ` +
        'check user, password and database of DATABASE_URL.',
    )
  })
})

describe('errors of the program are not reported in a sentence:', () => {
  test('any other error, and values that are not errors', () => {
    for (const fault of [new Error('Oops.'), new TypeError('Oops.', { cause: new Error('Why.') }), 'Oops.', null]) {
      expect(startErrorText(fault)).toBeNull()
    }
  })

  test('a statement that SQLite refuses', async () => {
    const database = new DatabaseSync(':memory:')
    const refused = await failureOf((async () => database.exec('select * from nothing'))())
    database.close()
    expect(refused).toMatchObject({ code: expect.stringContaining('SQLITE') })
    expect(startErrorText(refused)).toBeNull()
  })
})
