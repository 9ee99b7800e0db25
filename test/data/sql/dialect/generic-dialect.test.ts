import type { SqliteDatabase } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { storeConformance } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../../support/conformance-tables.js'
import { databases } from '../write/open-databases.js'
import { genericData, lackingSyntax } from './generic-dialect.js'

const open = databases()

describe('an engine without returned rows, orders of nulls and comparisons of rows', () => {
  const texts = new Set<string>()
  const cases = storeConformance({
    async open(seeds) {
      const statements = [...conformanceTables('sqlite'), ...conformanceRows('sqlite', seeds)]
      const { database } = await open('sqlite', statements)
      return genericData(database as SqliteDatabase, {
        ...conformanceOptions,
        onStatement: ({ sql }) => texts.add(sql),
      })
    },
    typed: false,
    // Statements without a transaction return what they have written.
    autocommit: false,
  })
  for (const { name, run } of cases) test(name, run)

  test('its statements do not use what it lacks', () => {
    expect(texts.size).toBeGreaterThan(100)
    expect([...texts].filter((text) => lackingSyntax.test(text))).toEqual([])
  })
})
