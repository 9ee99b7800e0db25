import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases } from './pulled.js'

const key = { SQLite: 'integer primary key', PostgreSQL: 'serial primary key' } as const

const tables = (engine: keyof typeof key): string => `
  create table users (
    id ${key[engine]},
    email varchar(200) not null,
    encrypted_password varchar(200) not null,
    reset_password_token varchar(200) unique,
    otp_backup_codes text,
    feed_token text
  );
  create table posts (id ${key[engine]}, title text not null, preview_token text);
  create table sessions (token varchar(100) primary key, user_agent text);
  create table visits (id ${key[engine]}, session_token varchar(100) references sessions, path text);
  insert into users (email, encrypted_password, reset_password_token, otp_backup_codes, feed_token)
    values ('thom@example.org', 'xx-digest', 'xx-reset', 'xx-codes', 'xx-feed');
  insert into posts (title, preview_token) values ('Hello', 'xx-preview');
  insert into sessions values ('xx-session', 'curl');
  insert into visits (session_token, path) values ('xx-session', '/');
`

describe.each(['SQLite', 'PostgreSQL'] as const)('secrets in a database on %s', (engine) => {
  test('are not served, filtered or sorted by, and are listed', async () => {
    const pulled = await databases[engine](tables(engine))
    const { code, out, err } = await pulled.pull()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`Left out, because they look like secrets:
  posts: preview_token.
  users: encrypted_password, reset_password_token, otp_backup_codes, feed_token. Clients cannot create rows, which need encrypted_password.
  visits: session_token.
Not served:
  sessions: The column 'token' of its key looks like a secret, and ids are in every link. Declare the type yourself if it is none.
`)
    expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
    const client = await pulled.client()
    for (const path of ['/users', '/users/1', '/posts', '/visits']) {
      const { status, document } = await client.get(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(JSON.stringify(document)).not.toMatch(/xx-|token|password|otp/i)
    }
    expect((await client.get('/users?filter[resetPasswordToken]=xx-reset')).status).toBe(400)
    expect((await client.get('/users?sort=resetPasswordToken')).status).toBe(400)
    expect((await client.get('/sessions')).status).toBe(404)
    const user = { type: 'users', attributes: { email: 'jonny@example.org', encryptedPassword: 'x' } }
    expect((await client.post('/users', { data: user })).status).toBe(405)
    const changed = { type: 'users', id: '1', attributes: { email: 'ed@example.org', encryptedPassword: 'x' } }
    expect((await client.patch('/users/1', { data: changed })).resource.attributes).toEqual({ email: 'ed@example.org' })
    const post = { type: 'posts', attributes: { title: 'Again', previewToken: 'mine' } }
    expect((await client.post('/posts', { data: post })).resource.attributes).toEqual({ title: 'Again' })
  })

  test('that a user serves deliberately stay, and are listed as served', async () => {
    const pulled = await databases[engine](tables(engine))
    await pulled.pull()
    const edited = pulled
      .text('resources/users.ts')
      .replace('  email: string\n', '  email: string\n  feedToken: string | null\n')
      .replace('    email: a', '    feedToken: a.string().nullable(),\n    email: a')
    writeFileSync(join(pulled.folder, 'src/resources/users.ts'), edited)
    await pulled.run('alter table users add column api_key text; alter table users add column name text')
    const { code, out } = await pulled.pull()
    expect(code).toBe(0)
    expect(out).toContain('users: encrypted_password, reset_password_token, otp_backup_codes, api_key. Clients')
    expect(out).toContain("users.feed_token: It looks like a secret, and is served: users.ts declares 'feedToken'.")
    expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
    const { attributes } = (await (await pulled.client()).get('/users/1')).resource
    expect(attributes).toEqual({ email: 'thom@example.org', feedToken: 'xx-feed', name: null })
  })
})
