import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { afterEach } from 'vitest'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'

export interface ScratchFiles {
  /** A path in a folder that is removed after the test. */
  path(name: string): string
  /** A database that is closed after the test: a file of that folder, or one in memory. */
  open(name: string): DatabaseSyncInstance
  /** Ends something with the test. */
  closing<Ended extends { close(): unknown }>(ended: Ended): Ended
}

export function scratchFiles(): ScratchFiles {
  let folder: string | null = null
  const closings: { close(): unknown }[] = []
  afterEach(() => {
    for (const ended of closings.splice(0).toReversed()) {
      const isOpen = 'isOpen' in ended ? ended.isOpen : 'open' in ended ? ended.open : true
      if (isOpen === true) ended.close()
    }
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
    folder = null
  })
  const path = (name: string): string => {
    folder ??= mkdtempSync(join(tmpdir(), 'ashlar-sqlite-'))
    return join(folder, name)
  }
  const closing = <Ended extends { close(): unknown }>(ended: Ended): Ended => {
    closings.push(ended)
    return ended
  }
  return {
    path,
    closing,
    open: (name) => closing(new DatabaseSync(name === ':memory:' ? name : path(name))),
  }
}

export const noRequest = { context: null } as const

export function statement(sql: string, ...values: readonly unknown[]): SqlStatement {
  return { sql, values, name: sql }
}

/** Runs one statement on its own connection. */
export async function written(driver: SqlDriver, sql: string, ...values: readonly unknown[]): Promise<unknown> {
  const held = await driver.hold(noRequest)
  try {
    return await held.run(statement(sql, ...values))
  } finally {
    held.release(false)
  }
}

export async function rows(driver: SqlDriver, sql: string, ...values: readonly unknown[]): Promise<unknown> {
  return (await driver.read(statement(sql, ...values), noRequest)).rows
}
