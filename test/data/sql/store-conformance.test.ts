import { sqlData } from 'ashlar/sql'
import { conformanceModels, storeConformance } from 'ashlar/testing'
import { describe, test } from 'vitest'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../support/conformance-tables.js'
import { databases, type Engine } from './write/open-databases.js'

const open = databases()

/** The tables, with the rules of their models behind the columns. */
function ruledTables(engine: Engine): readonly string[] {
  return conformanceTables(engine).map((statement, index) => {
    const rules = conformanceModels[index]?.checks ?? []
    const texts = rules.map(({ name, column, least }) => `, constraint ${name} check ("${column}" >= ${least})`)
    return statement.replace(/\)$/, `${texts.join('')})`)
  })
}

describe('tables of SQLite', () => {
  const cases = storeConformance({
    async open(seeds) {
      const statements = [...ruledTables('sqlite'), ...conformanceRows('sqlite', seeds)]
      return sqlData((await open('sqlite', statements)).database, conformanceOptions)
    },
    // Its columns take what they are given, unless a table is strict.
    typed: false,
  })
  for (const { name, run } of cases) test(name, run)
})

async function openOnce() {
  const { database, options, rows } = await open('postgres', ruledTables('postgres'))
  return { data: sqlData(database, { ...conformanceOptions, ...options }), rows }
}

describe('tables of PostgreSQL', () => {
  /** To make tables takes long: they are filled anew. */
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
