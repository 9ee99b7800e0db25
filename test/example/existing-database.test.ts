import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { documentProblems } from 'ashlar/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { builtPackage, commandLine, installPackages } from '../support/built-package.js'
import { endPrograms, type Program, startProgram } from '../support/program.js'

let program: Program
let folder: string
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(inject('runFolder'), 'existing-'))
  program = startProgram(builtPackage().pathOf('examples/existing-database/src/main.ts'), {
    environment: { PORT: '0' },
    cwd: folder,
  })
  const [, address = ''] = await program.printed(/Listening at (\S+)/)
  url = address
})
afterAll(endPrograms)

interface ReceivedResponse {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- The tests say what is in it.
  readonly document: any
}

/** Sends a request, as an employee if one is named. */
async function send(
  path: string,
  options: { employee?: string; method?: string; data?: object } = {},
): Promise<ReceivedResponse> {
  const { employee, method = 'GET', data } = options
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/vnd.api+json',
      ...(employee === undefined ? {} : { Authorization: `Bearer dev-${employee}` }),
    },
    ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
  })
  const document: unknown = await response.json()
  expect(documentProblems(document)).toEqual([])
  return { status: response.status, document }
}

function changeQuantity(employee: string, quantity: number): Promise<ReceivedResponse> {
  const data = { type: 'order-details', id: '1-1', attributes: { quantity } }
  return send('/order-details/1-1', { employee, method: 'PATCH', data })
}

describe('a database of another program', () => {
  test('is read by everybody if the policy allows it, and by employees elsewhere', async () => {
    const { document } = await send('/albums?sort=title')
    expect(document.data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      { title: 'Homogenic', unitPrice: 12.5 },
      { title: 'OK Computer', unitPrice: 10 },
    ])
    expect((await send('/orders')).status).toBe(401)
    const subtotals = await send('/order-subtotals/1', { employee: 'adams' })
    expect(subtotals.document.data.attributes).toEqual({ subtotal: 32.5 })
    expect(program.output().stderr).toBe('')
  })

  test('has resources with composite keys, and relations over them', async () => {
    const path = '/order-details/1-2?include=order.soldBy,album,returns'
    const { document } = await send(path, { employee: 'edwards' })
    expect(document.data.attributes).toEqual({ quantity: 1, unitPrice: 12.5, lineTotal: 12.5 })
    const included = document.included.map(({ type, id }: { type: string; id: string }) => `${type}/${id}`)
    expect(included.toSorted()).toEqual(['albums/2', 'employees/2', 'orders/1', 'returns/1'])
    const data = {
      type: 'returns',
      attributes: { reason: 'The wrong colour' },
      relationships: { orderDetail: { data: { type: 'order-details', id: '2-2' } } },
    }
    const created = await send('/returns', { employee: 'adams', method: 'POST', data })
    expect(created.status).toBe(201)
    const related = await send(`/returns/${created.document.data.id}/orderDetail`, { employee: 'adams' })
    expect(related.document.data.id).toBe('2-2')
  })

  test('is changed by the employee who has sold the order, within the checks of the tables', async () => {
    expect((await changeQuantity('adams', 3)).status).toBe(403)
    const refused = await changeQuantity('edwards', 100)
    expect([refused.status, refused.document.errors[0].source]).toEqual([422, { pointer: '/data/attributes/quantity' }])
    const changed = await changeQuantity('edwards', 3)
    expect([changed.status, changed.document.data.attributes.lineTotal]).toEqual([200, 30])
  })

  test('matches the declarations: another pull would change nothing', async () => {
    cpSync('examples/existing-database/src', join(folder, 'src'), { recursive: true })
    installPackages(folder)
    const pull = startProgram(join(folder, commandLine), { args: ['pull', 'data/shop.db', '--check'], cwd: folder })
    expect({ code: await pull.ended, stderr: pull.output().stderr }).toEqual({ code: 0, stderr: '' })
  })
})
