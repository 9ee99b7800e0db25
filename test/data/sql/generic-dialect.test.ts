import { storeConformance } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import type { SqlDialect } from '../../../src/data/sql/dialect/dialect.js'
import { sqliteDialect } from '../../../src/data/sql/dialect/sqlite/sqlite-dialect.js'
import { driverOf } from '../../../src/data/sql/driver/driver-of.js'
import { sqlDataOn } from '../../../src/data/sql/sql-data.js'
import type { SqlDataOptions } from '../../../src/data/sql/sql-data-options.js'
import type { EngineName } from '../../../src/util/engine-name.js'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../support/conformance-tables.js'
import { databases } from './write/open-databases.js'

/** SQLite without what other engines lack: it shows that the store has another way for each. No code knows its name. */
const genericDialect: SqlDialect = Object.freeze<SqlDialect>({
  ...sqliteDialect,
  name: 'generic' as EngineName,
  can: {
    ...sqliteDialect.can,
    returnRows: false,
    returnByAlias: false,
    orderNulls: 'byKey',
    compareRows: 'never',
    mergeSortedParts: false,
    continueAfterErrors: false,
  },
})

const open = databases()

async function opened(statements: readonly string[], options: SqlDataOptions = {}) {
  const texts: string[] = []
  const { database, rows } = await open('sqlite', statements)
  const driver = Object.freeze({ ...driverOf(database, {}), dialect: genericDialect })
  const onStatement = ({ sql }: { readonly sql: string }): void => {
    texts.push(sql)
  }
  return { data: sqlDataOn({ driver, replicas: null }, { ...options, onStatement }), rows, texts }
}

describe('an engine without returned rows, orders of nulls and comparisons of rows', () => {
  const all = new Set<string>()
  const cases = storeConformance({
    async open(seeds) {
      const statements = [...conformanceTables('sqlite'), ...conformanceRows('sqlite', seeds)]
      const { data, texts } = await opened(statements, conformanceOptions)
      return {
        data,
        close() {
          for (const text of texts) all.add(text)
        },
      }
    },
    typed: false,
  })
  for (const { name, run } of cases) test(name, run)

  test('no statement of these uses what the engine lacks', () => {
    expect(all.size).toBeGreaterThan(100)
    const lacking = /\breturning\b|\bnulls (?:first|last)\b|\([^()]*,[^()]*\) (?:=|<|>|<>|in) \(/
    expect([...all].filter((text) => lacking.test(text) && !/^insert into/.test(text))).toEqual([])
  })
})
