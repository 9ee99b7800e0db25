import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { invariant } from '../../../core/util/invariant.js'
import type {
  CallerKey,
  IdempotencyStore,
  KeyedResponse,
  KeyedWrite,
  KeyUsage,
} from '../../common/idempotency-store.js'
import { readRows } from '../driver/sql-statement.js'
import type { TableName } from '../schema/live-schema.js'
import { tableText } from '../schema/table-model.js'
import type { SqlRunOptions, SqlStore } from '../sql-store.js'
import type { ParameterSlot, StatementShape } from '../statement/statement-shape.js'
import { tableReference } from '../statement/table-reference.js'
import { runRead, runWrite } from '../write/sql-writing.js'
import { defaultIdempotencyTable, idempotencyColumns } from './idempotency-table.js'

/** How many expired responses a write removes: enough for the table to shrink, and few enough to cost little. */
const removedPerWrite = 10

/** How many expired responses one statement of `removeExpired()` removes. */
const removedPerStatement = 1000

/** The responses in a table of the database. */
export interface SqlIdempotency extends IdempotencyStore {
  /** Returns a sentence with the reason why the table cannot be used; `null` if it can. */
  problem(): Promise<string | null>
}

/** The table of the responses, and whether locks mark keys in use. */
type Slots = readonly ParameterSlot[]

interface IdempotencyOptions {
  readonly table: TableName
  /** Whether the database has advisory locks. */
  readonly hasLocks: boolean
}

/**
 * Stores responses in a table of the database. A lock that ends with the transaction marks a key as used: a crash leaves
 * nothing behind. Without such locks, the second of two requests with one key fails when it stores its response, and is rolled back. If the
 * engine has one writer, the next transaction finds the stored response.
 */
export function sqlIdempotency(store: SqlStore, { table, hasLocks }: IdempotencyOptions): SqlIdempotency {
  const { dialect } = store
  const tryLock = hasLocks ? dialect.transactions.tryLock : null
  const name = tableText(table)
  const rows = (): RawBuilder<unknown> => tableReference(table)
  const ofRow = (member: string): RawBuilder<unknown> => sql.id(table.name, member)
  const statement = (purpose: string, values: readonly unknown[], write: (slots: Slots) => RawBuilder<unknown>) => {
    return (shape: StatementShape) => {
      shape.describe(purpose, table)
      shape.addKeyPart(`idempotency ${purpose} ${name}`)
      const slots = values.map((value) => shape.bind(value))
      return () => write(slots)
    }
  }

  async function lock(key: CallerKey, options: SqlRunOptions): Promise<boolean> {
    if (tryLock === null) return true
    const lockKey = statement('lock', [lockNumber(name, key)], ([number]) => sql`select ${tryLock(number)}`)
    const { rows: found } = await runRead({ store, options }, lockKey)
    return found[0]?.[0] === true
  }

  /**
   * A row that is found is locked, so that the commit of this transaction waits for a synchronous standby too. The first
   * request may have ended without one, because it was stopped: then its write may be lost.
   */
  const locked = dialect.spell.lock('update')

  async function read(used: CallerKey, options: KeyedWrite): Promise<KeyedResponse | null> {
    const find = statement(
      'find',
      [used.caller, used.key, options.now],
      ([ofCaller, ofKey, after]) =>
        sql`select ${columns()} from ${rows()} where ${callerColumn} = ${ofCaller} and ${keyColumn} = ${ofKey} and ${expiryColumn} > ${after}${locked}`,
    )
    const { rows: found } = await runRead({ store, options }, find)
    return found[0] === undefined ? null : responseIn(found[0])
  }

  /** Reads the entries of the primary key that begin with the caller, no more than the limit. */
  async function count(of: string, limit: number, write: KeyedWrite): Promise<KeyUsage> {
    const usage = statement(
      'count',
      [of, write.now, limit],
      ([ofCaller, after, most]) =>
        sql`select count(*), min(${expiryColumn}) from (
          select ${expiryColumn} from ${rows()} where ${callerColumn} = ${ofCaller} and ${expiryColumn} > ${after} limit ${most}) as ${sql.id('counted')}`,
    )
    const { rows: found } = await runRead({ store, options: write }, usage)
    const [total, first] = found[0] ?? []
    return { count: Number(total), firstExpiresAt: first === null || first === undefined ? null : Number(first) }
  }

  /** A row that has expired counts as absent, and is replaced. */
  async function insert(response: KeyedResponse, options: KeyedWrite): Promise<boolean> {
    if (dialect.spell.onConflict === null) return insertOrFail(response, options)
    const save = statement('save', [...valuesOf(response), options.now], (slots) => {
      const replaced = idempotencyColumns.slice(2).map((column) => sql`${sql.id(column)} = excluded.${sql.id(column)}`)
      const stored = sql.id('stored')
      return sql`insert into ${rows()} as ${stored} (${columns()}) values (${sql.join(slots.slice(0, -1))})
          on conflict (${callerColumn}, ${keyColumn}) do update set ${sql.join(replaced)} where ${stored}.${expiryColumn} <= ${slots.at(-1)}`
    })
    const { changes } = await runWrite({ store, options }, save)
    return changes > 0
  }

  /** Removes an expired row, and inserts the new one, which the database refuses if another transaction has stored one. */
  async function insertOrFail(response: KeyedResponse, options: KeyedWrite): Promise<boolean> {
    const expired = statement('replace', [response.caller, response.key, options.now], ([ofCaller, ofKey, now]) => {
      return sql`delete from ${rows()} where ${callerColumn} = ${ofCaller} and ${keyColumn} = ${ofKey} and ${expiryColumn} <= ${now}`
    })
    const save = statement('save', valuesOf(response), (slots) => {
      return sql`insert into ${rows()} (${columns()}) values (${sql.join(slots)})`
    })
    await runWrite({ store, options }, expired)
    try {
      await runWrite({ store, options }, save)
      return true
    } catch (thrown) {
      if (store.driver.faultOf(thrown)?.kind === 'unique') return false
      throw thrown
    }
  }

  /** Skips rows that another transaction removes, so it never waits. */
  async function remove(now: number, limit: number, options: SqlRunOptions): Promise<number> {
    const removeSome = statement('remove', [now, limit], ([expired, most]) => {
      const found = sql`select ${callerColumn}, ${keyColumn} from ${rows()} where ${expiryColumn} <= ${expired}
          order by ${expiryColumn} limit ${most}${dialect.spell.lock('update skip locked')}`
      if (dialect.can.compareRows !== 'never') {
        return dialect.spell.deleteFound({ target: rows(), keys: ['caller', 'idempotency_key'], found })
      }
      const alias = 'expired'
      return sql`delete from ${rows()} where exists (select 1 from (${found}) as ${sql.id(alias)}
          where ${sql.id(alias, 'caller')} = ${ofRow('caller')} and ${sql.id(alias, 'idempotency_key')} = ${ofRow('idempotency_key')})`
    })
    const { changes } = await runWrite({ store, options }, removeSome)
    return changes
  }

  return Object.freeze<SqlIdempotency>({
    async find(key, write) {
      // The second statement sees what was committed before the first one got the lock. Both are sent together.
      const [isFree, response] = await Promise.all([lock(key, write), read(key, write)])
      return isFree ? response : 'running'
    },
    async save(response, write) {
      const [isSaved] = await Promise.all([insert(response, write), remove(write.now, removedPerWrite, write)])
      return isSaved
    },
    usage: count,
    async removeExpired(now) {
      let total = 0
      for (;;) {
        const removed = await remove(now, removedPerStatement, { transaction: null, context: null })
        total += removed
        if (removed < removedPerStatement) return total
      }
    },
    async problem() {
      const { sql: text } = sql`select ${columns()} from ${rows()} limit 0`.compile(store.builder)
      try {
        await readRows(store.driver, text)
        return null
      } catch (thrown) {
        const call = `idempotencyTable('${dialect.name}'${name === defaultIdempotencyTable ? '' : `, '${name}'`})`
        return `The table '${name}' for the setting 'idempotency' cannot be read: ${thrownMessage(thrown)}. Create it by the statements that ${call} of ashlar/sql returns.`
      }
    },
  })
}

const [callerColumn, keyColumn, expiryColumn] = [sql.id('caller'), sql.id('idempotency_key'), sql.id('expires_at')]

function columns(): RawBuilder<unknown> {
  return sql.join(idempotencyColumns.map((column) => sql.id(column)))
}

/** Returns the number of the advisory lock of a key: 64 bits of a hash, as a signed number. */
function lockNumber(table: string, { caller, key }: CallerKey): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([table, caller, key]))
    .digest()
  return hash.readBigInt64BE().toString()
}

/** Returns the values in the order of the columns. */
function valuesOf({ caller, key, request, bodyHash, status, headers, body, expiresAt }: KeyedResponse): unknown[] {
  return [caller, key, request, bodyHash, status, JSON.stringify(headers), body, expiresAt]
}

function responseIn(row: readonly unknown[]): KeyedResponse {
  const [caller, key, request, bodyHash, status, headers, body, expiresAt] = row
  invariant(typeof headers === 'string', 'a stored response has no headers')
  return {
    caller: String(caller),
    key: String(key),
    request: String(request),
    bodyHash: String(bodyHash),
    status: Number(status),
    headers: JSON.parse(headers) as readonly string[],
    body: body instanceof Uint8Array ? body : null,
    expiresAt: Number(expiresAt),
  }
}
