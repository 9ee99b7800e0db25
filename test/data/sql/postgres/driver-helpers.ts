import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import type { HttpRequest } from '../../../../src/core/http/request.js'
import type { RequestContext } from '../../../../src/declare/resource/request/request-context.js'

/** A statement of a test. */
export function statement(sql: string, ...values: unknown[]): SqlStatement {
  return { sql, values, name: null }
}

export const noRequest: { readonly context: null } = { context: null }

/** A request whose client can be sent away. */
export interface CancellableClient {
  readonly context: RequestContext
  leave(): void
  /** How many listen to whether it leaves. */
  readonly listeners: number
}

export function cancellableClient(): CancellableClient {
  const listeners = new Set<() => void>()
  let isDisconnected = false
  const request: HttpRequest = {
    method: 'GET',
    path: '/albums',
    query: '',
    origin: 'http://127.0.0.1',
    header: () => undefined,
    hasBody: false,
    body: () => Promise.resolve(null),
    onAbort(listener) {
      if (isDisconnected) listener()
      else listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    context: { server: 'default', type: 'albums', operation: 'FetchResource', caller: null, request },
    leave() {
      isDisconnected = true
      for (const listener of listeners) listener()
      listeners.clear()
    },
    get listeners() {
      return listeners.size
    },
  }
}

/** Waits for a condition; if it is never met, the test fails by its time limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10)
}

/** Whether all connections that a pool has are free for others. */
export async function untilReturned(pool: Pool): Promise<void> {
  await until(() => pool.idleCount === pool.totalCount && pool.waitingCount === 0)
}

/** The number of statements with a text that other connections run. */
export async function runningOn(observer: Pool, mark: string): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    "select count(*)::int4 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like $1",
    [`%${mark}%`],
  )
  return rows[0]?.count ?? 0
}

/**
 * A server that ends also sends errors to connections that are being closed, which then have no listeners. For connections of the pool,
 * the pool emits the error, and throws without a listener.
 */
export function ignoringErrors(pool: Pool): Pool {
  return pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
}
