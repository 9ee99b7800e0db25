import { sqlData } from 'ashlar/sql'
import { storeConformance } from 'ashlar/testing'
import { describe, test } from 'vitest'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../support/conformance-tables.js'
import { databases } from './write/open-databases.js'

const open = databases()

describe('tables of SQLite', () => {
  const cases = storeConformance({
    async open(seeds) {
      const statements = [...conformanceTables('sqlite'), ...conformanceRows('sqlite', seeds)]
      return sqlData((await open('sqlite', statements)).database, conformanceOptions)
    },
    // Its columns accept any value, unless a table is strict.
    typed: false,
    // It has no statement for any number of rows.
    autocommitTogether: false,
  })
  for (const { name, run } of cases) test(name, run)
})

async function openOnce() {
  const { database, options, rows } = await open('postgres', conformanceTables('postgres'))
  return { data: sqlData(database, { ...conformanceOptions, ...options }), rows }
}

describe('tables of PostgreSQL', () => {
  /** Creating tables takes long: existing ones are filled again. */
  let opened: ReturnType<typeof openOnce> | null = null
  const cases = storeConformance({
    async open(seeds) {
      opened ??= openOnce()
      const { data, rows } = await opened
      await rows(conformanceRows('postgres', seeds).join(';\n'))
      return data
    },
  })
  for (const { name, run } of cases) test(name, run)
})
