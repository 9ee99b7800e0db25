import { belongsTo, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import { sqlData } from 'ashlar/sql'
import * as lite from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client } from '../../support/client.js'
import { newFile } from '../../support/open-databases.js'

/** Keys that rows show otherwise than the database holds them: `usr_1` for 1. */
const userKey = lite.customType<{ data: string; driverData: number }>({
  dataType: () => 'integer',
  fromDriver: (held) => `usr_${held}`,
  toDriver(value) {
    if (!/^usr_\d+$/.test(value)) throw new Error('This is no key of a user.')
    return Number(value.slice(4))
  },
})

const users = lite.sqliteTable('users', { id: userKey('id').primaryKey(), name: lite.text('name').notNull() })
const posts = lite.sqliteTable('posts', {
  id: lite.integer('id').primaryKey(),
  userId: userKey('user_id').references(() => users.id),
})

describe('Keys that the columns of a Drizzle table map', () => {
  let api: TestClient
  beforeEach(() => {
    const file = newFile()
    file.exec(`
      create table users (id integer primary key not null, name text not null);
      create table posts (id integer primary key not null, user_id integer references users (id));
      insert into users values (1, 'Ada'), (2, 'Bob'), (10, 'Cid');
      insert into posts values (1, 1), (2, 1), (3, 2), (4, null);
    `)
    const resources = [
      defineResource('users', {
        model: table(users),
        id: id(),
        attributes: (a) => ({ name: a.string() }),
        relations: { posts: hasMany('posts').countable() },
        filters: (f) => ({ id: f.idIn() }),
        pagination: cursorPage({ size: 1 }),
      }),
      defineResource('posts', { model: table(posts), id: id(), relations: { user: belongsTo('users') } }),
    ] as const
    api = client(createServer({ resources, data: sqlData(file) }))
  })

  test('are found by the ids that are shown, and by no others', async () => {
    expect((await api.get('/users/usr_2')).resource).toMatchObject({ id: 'usr_2', attributes: { name: 'Bob' } })
    for (const wrong of ['2', 'usr_02', 'usr_3', 'x']) expect((await api.get(`/users/${wrong}`)).status).toBe(404)
    expect((await api.get('/users?filter[id]=usr_1,2,usr_10&page[size]=5')).resources.map((user) => user.id)).toEqual([
      'usr_1',
      'usr_10',
    ])
  })

  test('refer to related rows, and back', async () => {
    const { resource, document } = await api.get('/users/usr_1?include=posts.user&withCount=posts', {
      headers: { accept: 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"' },
    })
    expect(resource.relationships?.['posts']).toMatchObject({
      data: [
        { type: 'posts', id: '1' },
        { type: 'posts', id: '2' },
      ],
      meta: { total: 2 },
    })
    expect(JSON.stringify(document)).toContain('"user"')
    expect((await api.get('/posts/3/user')).resource.id).toBe('usr_2')
    expect((await api.get('/posts/4/user')).document).toMatchObject({ data: null })
  })

  test('are walked by cursor in the order of the stored values', async () => {
    const seen: string[] = []
    for (let path = '/users'; seen.length < 5; ) {
      const { document, resources } = await api.get(path)
      seen.push(...resources.map((user) => user.id))
      const next = (document as { links?: { next?: string } }).links?.next
      if (next === undefined) break
      path = next.replace('http://localhost', '')
    }
    expect(seen).toEqual(['usr_1', 'usr_2', 'usr_10'])
  })

  test('are written', async () => {
    const user = { user: { data: { type: 'users', id: 'usr_10' } } }
    const made = await api.post('/posts', { body: { data: { type: 'posts', relationships: user } } })
    expect(made.status).toBe(201)
    expect((await api.get(`/posts/${made.resource.id}/user`)).resource.id).toBe('usr_10')
    await api.patch('/users/usr_2/relationships/posts', { body: { data: [{ type: 'posts', id: '1' }] } })
    expect((await api.get('/users/usr_2/posts')).resources.map((post) => post.id)).toEqual(['1'])
    expect((await api.delete('/users/usr_10')).status).toBe(409)
  })
})
