import { EventEmitter } from 'node:events'
import { ignoreRejection } from '../../../../../core/errors/ignore-rejection.js'
import { StalePlan } from '../driver/postgres-fault.js'
import type { PostgresClient } from '../driver/postgres-pool.js'
import { bytesReader, postgresTypes } from '../driver/postgres-values.js'
import { pgClientOf, sentCount } from './pg-client.js'
import type { PreparedRun, PreparedStatement, QueryCallback } from './prepared-query.js'
import { described, executionHead, executionMessage, parseMessage, undescribed, unsynced } from './prepared-query.js'
import type { QueryClasses, SessionQuery } from './query-classes.js'
import { queryClassesOf } from './query-classes.js'
import { parseRows } from './row-messages.js'

/** pg's class of clients. */
export type PgClientClass = (new (
  settings: object,
) => PostgresClient & { connect(callback: () => void): unknown }) & {
  readonly Query?: unknown
}

/**
 * Runs the fast paths with a client of the class whose server is a script. Returns the classes of their queries if all of them work, else
 * null. It takes no connection and no time of a server, and all of it is synchronous. A version of pg that behaves differently fails here
 * instead of in a request, or returning wrong values.
 */
export function rehearse(Client: PgClientClass): QueryClasses | null {
  try {
    const classes = queryClassesOf(Client.Query)
    const rehearsed = connected(Client)
    if (classes === null || !pipelines(rehearsed)) return null
    // Its end is the first byte from which messages are known, so that the second time the rows are parsed from bytes.
    const parses = parseRows(pgClientOf(rehearsed.client))
    const runs = runsPrepared(rehearsed, classes, prepared) && runsPrepared(rehearsed, classes, readFromBytes)
    return parses && runs ? classes : null
  } catch {
    return null
  }
}

interface Rehearsed {
  readonly client: PostgresClient
  readonly socket: ScriptedSocket
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

function connected(Client: PgClientClass): Rehearsed {
  const socket = scriptedSocket()
  const client = new Client({ ...nowhere, stream: socket.stream })
  client.on('error', () => undefined)
  // The script checks the effects of a call. Whether its promise is rejected does not matter.
  ignoreRejection(client.connect(() => undefined))
  socket.stream.emit('connect')
  // The server asks for no password, and sends the keys for cancel requests.
  socket.send(message('R', '\0\0\0\0'), message('K', '\0\0\0\x01\0\0\0\x02'), idle)
  socket.received()
  pgClientOf(client).pipeline = true
  return { client, socket }
}

const prepared: PreparedStatement = {
  text: 'select position, title from tracks where id = $1',
  name: 'ashlar_rehearsal',
  columns: ['position', 'title'],
  types: [23, 25],
  readers: [{ at: 0, read: Number }],
  bytesReaders: [Number, String].map((read) => bytesReader(read)),
  head: executionHead('ashlar_rehearsal', 1),
  parameterCount: 1,
}
const readFromBytes: PreparedStatement = { ...prepared, readers: [{ at: 0, read: () => null }] }
const plain = { text: prepared.text, rowMode: 'array', types: postgresTypes, values: ['0'] } as const

/** Sends two statements before the first result, as a request with several reads does. The first one is prepared. */
function pipelines({ client, socket }: Rehearsed): boolean {
  const internals = pgClientOf(client)
  for (const name of [prepared.name, 'ashlar_other']) ignoreRejection(client.query({ ...plain, name }))
  const areSent = messageTypes(socket.received()) === 'PBDESPBDES'
  const isPending = sentCount(internals) === 1 && internals.readyForQuery === false
  socket.send(...startOfPlain, ...rows, idle, ...startOfPlain, complete('SELECT 0'), message('Z', 'T'))
  const hasEnded = sentCount(internals) === 0 && internals.readyForQuery === true
  const isPrepared = internals.connection?.parsedStatements?.[prepared.name] === prepared.text
  return areSent && isPending && hasEnded && isPrepared && internals.getTransactionStatus?.() === 'T'
}

const settings = Buffer.concat([parseMessage('select'), executionMessage(executionHead('', 1), ['alice'], unsynced)])

/**
 * Runs a prepared statement with an error, with rows, and after its columns have changed. Then sets values for a prepared statement and for
 * a plain one, and lets a third one fail because its values are refused.
 */
function runsPrepared({ client, socket }: Rehearsed, classes: QueryClasses, statement: PreparedStatement): boolean {
  const { PreparedQuery, SessionPreparedQuery, SessionPlainQuery } = classes
  const results: unknown[] = []
  const record = (): QueryCallback => {
    const at = results.push(null) - 1
    return (thrown, result) => void (results[at] = result ?? thrown)
  }
  const run = (describes: boolean): PreparedRun => ({ values: ['1'], describes, callback: record() })
  const runPlain = (): object => ({ ...plain, queryMode: 'extended', callback: record() })
  const ofPrepared = [run(false), run(false), run(true)].map((each) => new PreparedQuery(statement, each))
  const ofSession = [
    new SessionPreparedQuery(statement, run(false)),
    new SessionPlainQuery(runPlain()),
    new SessionPlainQuery(runPlain()),
  ].map((query): SessionQuery => Object.assign(query, { settings }))
  for (const query of [...ofPrepared, ...ofSession]) ignoreRejection(client.query(query))
  const [once, again] = [undescribed, described].map((tail) => executionMessage(prepared.head, ['1'], tail))
  const expected = Buffer.concat([once, once, again, settings, once, settings] as Buffer[])
  const bytes = socket.received()
  const areSent = bytes.subarray(0, expected.length).equals(expected) && ofSession.every((query) => query.isSubmitted)
  const areOthersSent = messageTypes(bytes.subarray(expected.length)) === 'PBDESPBEPBDES'
  socket.send(refused('22012'), idle, bound, ...rows, idle, bound, swapped, ...rows, idle)
  socket.send(...settingsResult, bound, ...rows, idle, ...settingsResult, ...startOfPlain, ...rows, idle)
  socket.send(parsed, refused('22023'), idle)
  const [failed, succeeded, stale, ofSettings, ofPlain, refusal] = results
  return (
    areSent &&
    areOthersSent &&
    memberOf(failed, 'code') === '22012' &&
    isEqual(succeeded, { columns: prepared.columns, rows: expectedRows, changes: 2, command: 'SELECT' }) &&
    stale instanceof StalePlan &&
    isEqual(memberOf(ofSettings, 'rows'), expectedRows) &&
    isEqual(memberOf(ofPlain, 'rows'), expectedRows) &&
    memberOf(memberOf(refusal, 'cause'), 'code') === '22023'
  )
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Compares plain data. */
function isEqual(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other)
}

/** In place of the socket of a client: it records what the client sends, and passes on messages of a server. */
interface ScriptedSocket {
  readonly stream: EventEmitter
  /** Returns the bytes that the client has sent since the last call. */
  received(): Buffer
  send(...messages: readonly Buffer[]): void
}

function scriptedSocket(): ScriptedSocket {
  const events = new EventEmitter()
  const written: Uint8Array[] = []
  const ignored = ['setNoDelay', 'setKeepAlive', 'connect', 'cork', 'uncork', 'end', 'destroy']
  const stream = Object.assign(events, {
    writable: true,
    destroyed: false,
    ...Object.fromEntries(ignored.map((name) => [name, () => events])),
    write: (bytes: Uint8Array) => written.push(bytes) > 0,
  })
  return {
    stream,
    received: () => Buffer.concat(written.splice(0)),
    send: (...messages) => void events.emit('data', Buffer.concat(messages)),
  }
}

/** Returns the types of the messages in bytes that a client has sent, one letter for each. */
function messageTypes(bytes: Buffer): string {
  let types = ''
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) types += bytes.toString('latin1', at, at + 1)
  return types
}

/**
 * Returns a message of the server, with one character for each byte of its body.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function message(type: string, body = ''): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

/** Describes a column: its name, and the oid of its type after the table and its position there. */
function column(name: string, type: string): string {
  return `${name}\0${'\0'.repeat(9)}${type}${'\0'.repeat(8)}`
}

function sent(text: string): string {
  const bytes = Buffer.from(text)
  return `\0\0\0${String.fromCharCode(bytes.length)}${bytes.toString('latin1')}`
}

function complete(tag: string): Buffer {
  return message('C', `${tag}\0`)
}

function refused(code: string): Buffer {
  return message('E', `SERROR\0C${code}\0Mrefused\0\0`)
}

const [parsed, bound, idle] = [message('1'), message('2'), message('Z', 'I')]
const [position, title] = [column('position', '\x17'), column('title', '\x19')]
const swapped = message('T', `\0\x02${title}${position}`)
const startOfPlain = [parsed, bound, message('T', `\0\x02${position}${title}`)]
const rows = [
  message('D', `\0\x02${sent('1')}${sent('Ünïcode ✓')}`),
  message('D', `\0\x02${sent('2')}\xFF\xFF\xFF\xFF`),
  complete('SELECT 2'),
]
const expectedRows = [
  [1, 'Ünïcode ✓'],
  [2, null],
]
const settingsResult = [parsed, bound, message('D', `\0\x01${sent('alice')}`), complete('SELECT 1')]
