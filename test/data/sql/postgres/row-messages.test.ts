import * as fc from 'fast-check'
import { Client, Pool } from 'pg'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { rowFilter } from '../../../../src/stores/sql/dialect/postgres/protocol/row-messages.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import { runs } from '../../../support/runs.js'
import { noRequest } from './driver-helpers.js'

function message(type: string, body: Uint8Array | string = ''): Buffer {
  const content = Buffer.from(body)
  const bytes = Buffer.concat([Buffer.from(type), Buffer.alloc(4), content])
  bytes.writeInt32BE(content.length + 4, 1)
  return bytes
}

const idle = message('Z', 'I')
const bound = message('2')
const done = message('C', 'SELECT 1\0')

/** The response to a query, and whether it parses its rows itself. */
interface Response {
  readonly parses: boolean
  readonly rows: readonly Uint8Array[]
  /** A message that belongs to no query, such as a notice. */
  readonly notice: Uint8Array | null
  /** Whether a `BindComplete` precedes the rows. */
  readonly isBound: boolean
}

const bytes = fc.uint8Array({ maxLength: 40 })
const response: fc.Arbitrary<Response> = fc.record({
  parses: fc.boolean(),
  rows: fc.array(fc.oneof(bytes, fc.constant(Buffer.from('Z\0\0\0\x05I')))),
  notice: fc.option(bytes),
  isBound: fc.boolean(),
})

function messagesOf({ rows, notice, isBound }: Response): readonly Buffer[] {
  const notices = notice === null ? [] : [message('N', notice)]
  return [...(isBound ? [bound] : []), ...notices, ...rows.map((row) => message('D', row)), ...notices, done, idle]
}

/** A client that reads whole messages, and goes on to the next query after `ReadyForQuery`. */
function reader(responses: readonly Response[]) {
  const parsed: string[][] = responses.map(() => [])
  const passed: Buffer[] = []
  let [at, isAsked] = [-1, false]
  let rest = Buffer.alloc(0)
  const client = {
    readyForQuery: true,
    _getActiveQuery: () =>
      responses[at]?.parses === true
        ? { parsesRows: true, parseRow: (from: Buffer, start: number) => void parsed[at]?.push(contentAt(from, start)) }
        : {},
  }
  const read = (chunk: Buffer): void => {
    passed.push(chunk)
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      if (rest[0] === 90) at += 1
      client.readyForQuery = !isAsked || at === responses.length
      rest = rest.subarray(1 + rest.readUInt32BE(1))
    }
  }
  return { client, read, parsed, passed: () => Buffer.concat(passed), ask: () => void (isAsked = true) }
}

function contentAt(from: Buffer, start: number): string {
  return from.toString('hex', start, start + from.readUInt32BE(start - 4) - 4)
}

/** Cuts bytes at the given positions. */
function cut(whole: Buffer, positions: readonly number[]): readonly Buffer[] {
  const sorted = [0, ...positions.map((each) => each % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
  return sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end))
}

describe('The filter of rows', () => {
  it('gives each query its own rows, and everything else to the client, however the bytes arrive', () => {
    const sent = fc.tuple(fc.array(response, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 20 }))
    fc.assert(
      fc.property(sent, ([responses, positions]) => {
        const { client, read, parsed, passed, ask } = reader(responses)
        const filter = rowFilter(client, read)
        filter(idle)
        ask()
        const all = responses.map(messagesOf)
        for (const chunk of cut(Buffer.concat(all.flat()), positions)) filter(chunk)
        expect(parsed).toEqual(responses.map(({ parses, rows }) => (parses ? rows.map((row) => hex(row)) : [])))
        const others = responses.map((each, index) =>
          (all[index] ?? []).filter(({ 0: type }) => type !== 50 && !(each.parses && type === 68)),
        )
        expect(withoutBound(passed())).toEqual(Buffer.concat([idle, ...others.flat()]).toString('hex'))
      }),
      { numRuns: runs(500) },
    )
  })

  it('passes everything on until a chunk ends when nothing is expected', () => {
    const { client, read, parsed, passed } = reader([{ parses: true, rows: [], notice: null, isBound: false }])
    const filter = rowFilter(client, read)
    const start = Buffer.concat([idle, message('D', 'a')])
    filter(start)
    filter(idle)
    expect(passed()).toEqual(Buffer.concat([start, idle]))
    expect(parsed).toEqual([[]])
  })

  it('takes a row that looks like the end of a response for a row', () => {
    const { client, read, parsed, ask } = reader([{ parses: true, rows: [], notice: null, isBound: false }])
    const filter = rowFilter(client, read)
    ask()
    filter(Buffer.concat([idle, message('D', 'Z\0\0\0\x05I')]))
    filter(Buffer.concat([message('D', 'b'), done, idle]))
    expect(parsed).toEqual([[]])
  })
})

function hex(of: Uint8Array): string {
  return Buffer.from(of).toString('hex')
}

/** Returns the messages without `BindComplete`, which clients ignore. */
function withoutBound(from: Buffer): string {
  let kept = ''
  for (let at = 0; at < from.length; ) {
    const end = at + 1 + from.readUInt32BE(at + 1)
    if (from[at] !== 50) kept += from.toString('hex', at, end)
    at = end
  }
  return kept
}

describe('The rows of prepared statements', () => {
  let pool: Pool
  afterEach(() => pool.end())

  const large: SqlStatement = {
    sql: `select n, repeat('Ünïcode ✓ ', 100000 * (n % 2)), n % 2 = 0, null::int4, timestamptz '2026-01-31 12:00:00.5+00'
      from generate_series(1, $1::int4) n`,
    values: [20],
    name: 'ashlar_large_rows',
  }

  it.each([
    ['are the same as those of pg, in messages of many chunks', Client],
    [
      'are read by pg if the application listens to the bytes too',
      class extends Client {
        constructor(settings?: ConstructorParameters<typeof Client>[0]) {
          super(settings)
          this.on('connect', () => connectionOf(this).stream.on('data', () => undefined))
        }
      },
    ],
  ])('%s', async (_, PgClient) => {
    pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, Client: PgClient })
    const driver = postgresDriver(pool)
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => driver.read(large, noRequest)))
    const again = await driver.read(large, noRequest)
    expect(first?.rows.map(([n]) => n)).toEqual(Array.from({ length: 20 }, (__, index) => index + 1))
    for (const each of [...others, again]) expect(each).toEqual(first)
  })
})

function connectionOf(client: Client): { readonly stream: NodeJS.ReadableStream } {
  return (client as unknown as { readonly connection: { readonly stream: NodeJS.ReadableStream } }).connection
}
