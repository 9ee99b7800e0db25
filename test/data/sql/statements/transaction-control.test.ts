import { createServer, defineResource, id } from 'ashlar'
import { type RanStatement, sqlData, table } from 'ashlar/sql'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { databases, engines } from '../write/open-databases.js'

const open = databases()

const control = (ran: readonly RanStatement[]): readonly (string | undefined)[] =>
  ran.filter(({ isTransactionControl }) => isTransactionControl).map(({ sql }) => sql.split(' ')[0])

describe.each(engines)('onStatement on %s', (engine) => {
  async function ranBy(hook: () => void): Promise<readonly RanStatement[]> {
    const { database, options } = await open(engine, ['create table things (id serial, name text)'])
    const ran: RanStatement[] = []
    const things = defineResource('things', {
      model: table<{ id: number; name: string | null }>('things'),
      id: id(),
      attributes: (a) => ({ name: a.string().nullable() }),
      hooks: { beforeCreate: hook },
    })
    const data = sqlData(database, { ...options, onStatement: (statement) => ran.push(statement) })
    await client(createServer({ resources: [things], data })).post('/things', {
      body: resourceBody('things', { name: 'x' }),
    })
    return ran
  }

  test('reports the statements that begin and commit a transaction, around the others', async () => {
    const ran = await ranBy(() => undefined)
    expect(control(ran).at(0)).toBe('begin')
    expect(control(ran).at(-1)).toBe('commit')
    const kinds = ran.map(({ isTransactionControl }) => isTransactionControl)
    expect([kinds.at(0), kinds.includes(false), kinds.at(-1)]).toEqual([true, true, true])
    expect(ran.every(({ inTransaction, error }) => inTransaction && error === null)).toBe(true)
  })

  test('reports the rollback of a write that a hook refuses', async () => {
    const ran = await ranBy(() => {
      throw new Error('no')
    })
    expect(control(ran)).toEqual(['begin', 'rollback'])
  })
})
