import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { client } from '../../support/client.js'
import { scratchMysql } from '../../support/scratch-mysql.js'

const engine = inject('mysqlEngine')
const exact = engine === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'

/** Most databases have this collation. */
const usual = 'character set utf8mb4 collate utf8mb4_general_ci'

const scratch = await scratchMysql([
  `create table codes (code varchar(50) ${usual} primary key, title varchar(50) ${usual}) ${usual}`,
])

beforeEach(() => scratch.run("delete from codes; insert into codes values ('abc', 'Ärger'), ('Xyz', 'arger')"))

const codes = defineResource('codes', {
  model: table<{ code: string; title: string | null }>('codes', { key: 'code' }),
  id: id('code').requireClientId(),
  attributes: (a) => ({ title: a.string().nullable().sortable() }),
  filters: (f) => ({ title: f.where() }),
})

const missing = async () => (await served().inspect()).missing

const served = () => createServer({ resources: [codes], data: sqlData(scratch.pool, { engine }) })

describe('a collation that ignores case and accents', () => {
  test('finds only the row that has the id', async () => {
    const api = client(served())
    expect((await api.get('/codes/abc')).status).toBe(200)
    expect((await api.get('/codes/ABC')).status).toBe(404)
  })

  test('does not change what filters find and how rows are sorted', async () => {
    const api = client(served())
    expect((await api.get('/codes?filter[title]=arger')).resources.map((each) => each.id)).toEqual(['Xyz'])
    expect((await api.get('/codes?sort=title')).resources.map((each) => each.id)).toEqual(['Xyz', 'abc'])
    expect((await api.get('/codes')).resources.map((each) => each.id)).toEqual(['Xyz', 'abc'])
  })

  test('of an id prevents the server from being ready', async () => {
    await expect(served().ready()).rejects.toThrow("The collation of the column 'code' of the table 'codes'")
  })

  test('is reported, with the statement that changes it', async () => {
    const [sentence = ''] = await missing()
    expect(sentence).toContain("The collation of the column 'code' of the table 'codes'")
    const statement = `alter table \`codes\` convert to character set utf8mb4 collate ${exact};`
    expect(sentence).toContain(statement)
    await scratch.run(statement)
    expect(await missing()).toEqual([])
    await scratch.run(`alter table codes convert to ${usual}`)
  })
})
