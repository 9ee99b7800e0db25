import type { SqlResult } from '../../../driver/sql-statement.js'
import { StalePlan } from '../driver/postgres-errors.js'
import type { PostgresClient, PostgresResult } from '../driver/postgres-pool.js'
import { postgresTypes } from '../driver/postgres-values.js'
import { executionHead, executionMessage, parseMessage, settingsMessage } from './execution-message.js'
import type { PgClient } from './pg-client.js'
import { pgClientOf, sentCount } from './pg-client.js'
import type { PgQuery, PreparedStatement, QueryCallback } from './prepared-query.js'
import type { QueryClasses } from './query-classes.js'
import { queryClassesOf } from './query-classes.js'
import type { ScriptedServer } from './scripted-server.js'
import {
  bindComplete,
  commandComplete,
  dataRow,
  errorResponse,
  messageTypes,
  parseComplete,
  readyForQuery,
  rowDescription,
  scriptedServer,
} from './scripted-server.js'

/** The fast paths that a client supports. Without one, statements are sent by public methods of pg, with the same results. */
export interface ClientFeatures {
  /** Whether statements are sent without waiting for earlier results. Other clients get one statement after the other. */
  readonly pipelines: boolean
  /** The classes of queries that run prepared statements by one message; null if the client cannot run them. */
  readonly prepared: QueryClasses | null
  /** Whether these classes can also set the values of a session, in the same write as the statement. */
  readonly sessions: boolean
}

/** pg's class of clients. */
export type PgClientClass = (new (
  settings: object,
) => PostgresClient & { connect(callback: () => void): unknown }) & {
  readonly Query?: unknown
}

/**
 * Runs each fast path with a client of the class whose server is a script, and returns those that work. It takes no connection and no time
 * of a server, and all of it is synchronous. A version of pg that behaves differently fails here instead of in a request, or returning
 * wrong values.
 */
export function rehearse(Client: PgClientClass): ClientFeatures {
  const classes = queryClassesOf(Client.Query)
  const pipelines = succeeds(() => pipelinesStatements(connected(Client)))
  const prepares = pipelines && classes !== null && succeeds(() => runsPrepared(connected(Client), classes))
  const sessions = prepares && succeeds(() => setsValues(connected(Client), classes))
  return { pipelines, prepared: prepares ? classes : null, sessions }
}

function succeeds(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

interface Rehearsing {
  readonly client: PostgresClient
  readonly internals: PgClient
  readonly server: ScriptedServer
}

/** If a class does not use the given stream, its client finds no server at this address. */
const nowhere = {
  host: '/nowhere',
  port: 5432,
  user: 'ashlar',
  password: '',
  database: 'ashlar',
  ssl: false,
  sslnegotiation: 'postgres',
}

function connected(Client: PgClientClass): Rehearsing {
  const server = scriptedServer()
  const client = new Client({ ...nowhere, stream: server.stream })
  client.on('error', () => undefined)
  ignoreRejection(client.connect(() => undefined))
  server.accept()
  server.received()
  const internals = pgClientOf(client)
  internals.pipeline = true
  return { client, internals, server }
}

const columns = [
  ['position', 23],
  ['title', 25],
] as const
const described = rowDescription(columns)
const prepared: PreparedStatement = {
  text: 'select position, title from tracks where id = $1',
  name: 'ashlar_rehearsal',
  columns: columns.map(([name]) => name),
  types: columns.map(([, type]) => type),
  readers: [{ at: 0, read: Number }],
  head: executionHead('ashlar_rehearsal', 1),
  parameterCount: 1,
}
const plain = { text: prepared.text, name: prepared.name, rowMode: 'array', types: postgresTypes } as const
const rows = [dataRow(['1', 'Ünïcode ✓']), dataRow(['2', null])]
const expectedRows = [
  [1, 'Ünïcode ✓'],
  [2, null],
]

/** Sends two statements before the first result, as a request with several reads does. */
function pipelinesStatements({ client, internals, server }: Rehearsing): boolean {
  for (const value of ['1', '2']) ignoreRejection(client.query({ ...plain, name: `of_${value}`, values: [value] }))
  const areSent = messageTypes(server.received()) === 'PBDESPBDES'
  const isPending = sentCount(internals) === 1 && internals.readyForQuery === false
  server.send(...startOfPlain, commandComplete('SELECT 0'), readyForQuery('I'))
  server.send(...startOfPlain, commandComplete('SELECT 0'), readyForQuery('T'))
  const hasEnded = sentCount(internals) === 0 && internals.readyForQuery === true
  return areSent && isPending && hasEnded && internals.getTransactionStatus?.() === 'T'
}

const startOfPlain = [parseComplete, bindComplete, described]

/** Prepares a statement, and runs it three times: with an error, with rows, and after its columns have changed. */
function runsPrepared({ client, internals, server }: Rehearsing, { PreparedQuery }: QueryClasses): boolean {
  ignoreRejection(client.query({ ...plain, values: ['0'] }))
  server.send(...startOfPlain, ...rows, commandComplete('SELECT 2'), readyForQuery('I'))
  if (internals.connection?.parsedStatements?.[plain.name] !== plain.text) return false
  server.received()
  const results = recordedResults()
  const run = (value: string | null, describes: boolean): Buffer => {
    const query = new PreparedQuery(prepared, { values: [value], describes, callback: results.next() })
    ignoreRejection(client.query(query))
    return executionMessage(prepared.head, [value], describes)
  }
  const expected = Buffer.concat([run('1', false), run('2', false), run(null, true)])
  const areSent = server.received().equals(expected)
  server.send(errorResponse('22012'), readyForQuery('I'))
  server.send(bindComplete, ...rows, commandComplete('UPDATE 2'), readyForQuery('I'))
  server.send(
    bindComplete,
    rowDescription([columns[1], columns[0]]),
    ...rows,
    commandComplete('SELECT 2'),
    readyForQuery('I'),
  )
  const [failed, succeeded, stale] = results.all
  return (
    areSent &&
    codeOf(failed?.thrown) === '22012' &&
    isEqual(succeeded?.result, { columns: prepared.columns, rows: expectedRows, changes: 2, command: 'UPDATE' }) &&
    stale?.thrown instanceof StalePlan
  )
}

const settings = Buffer.concat([parseMessage('select'), settingsMessage(executionHead('', 1), ['alice'])])
const settingsResult = [parseComplete, bindComplete, dataRow(['alice']), commandComplete('SELECT 1')]

/** Sets values for a plain statement and for a prepared one, and lets a third one fail because its values are refused. */
function setsValues({ client, server }: Rehearsing, classes: QueryClasses): boolean {
  const { SessionPlainQuery, SessionPreparedQuery } = classes
  const results = recordedResults()
  const run = (query: PgQuery & { settings: Uint8Array | null; readonly isSubmitted: boolean }): boolean => {
    query.settings = settings
    ignoreRejection(client.query(query))
    return query.isSubmitted
  }
  const plainQuery = (): InstanceType<typeof SessionPlainQuery> =>
    new SessionPlainQuery({ ...plain, name: undefined, values: ['0'], queryMode: 'extended', callback: results.next() })
  const preparedRun = { values: ['1'], describes: false, callback: results.next() }
  const areSubmitted = [run(new SessionPreparedQuery(prepared, preparedRun)), run(plainQuery()), run(plainQuery())]
  const sent = server.received()
  const areSent = messageTypes(sent) === 'PBEBESPBEPBDESPBEPBDES' && sent.subarray(0, settings.length).equals(settings)
  server.send(...settingsResult, bindComplete, ...rows, commandComplete('SELECT 2'), readyForQuery('I'))
  server.send(...settingsResult, ...startOfPlain, ...rows, commandComplete('SELECT 2'), readyForQuery('I'))
  server.send(parseComplete, errorResponse('22023'), readyForQuery('I'))
  const [first, second, refused] = results.all
  return (
    areSent &&
    areSubmitted.every(Boolean) &&
    isEqual(rowsOf(first?.result), expectedRows) &&
    isEqual(rowsOf(second?.result), expectedRows) &&
    codeOf((refused?.thrown as Error | undefined)?.cause) === '22023'
  )
}

interface Recorded {
  thrown: unknown
  result: SqlResult | PostgresResult | readonly PostgresResult[] | undefined
}

function recordedResults(): { readonly all: readonly Recorded[]; next(): QueryCallback } {
  const all: Recorded[] = []
  return {
    all,
    next() {
      const recorded: Recorded = { thrown: null, result: undefined }
      all.push(recorded)
      return (thrown, result) => void Object.assign(recorded, { thrown, result })
    },
  }
}

function rowsOf(result: Recorded['result']): unknown {
  return result !== undefined && 'rows' in result ? result.rows : null
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null
}

/** Compares plain data. */
function isEqual(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other)
}

/** The script checks the effects of a call. Whether its promise is rejected does not matter. */
function ignoreRejection(returned: unknown): void {
  if (returned instanceof Promise) returned.catch(() => undefined)
}
