import { sqlData } from 'ashlar/sql'
import { storeConformance } from 'ashlar/testing'
import { inject, test } from 'vitest'
import { conformanceOptions, conformanceRows, conformanceTables } from '../../support/conformance-tables.js'
import { scratchMysql } from '../../support/scratch-mysql.js'

const engine = inject('mysqlEngine')

async function openOnce() {
  const { pool, run } = await scratchMysql(conformanceTables(engine))
  return { data: sqlData(pool, { ...conformanceOptions, engine }), run }
}

/** Creating tables takes long: existing ones are filled again. */
let opened: ReturnType<typeof openOnce> | null = null

const cases = storeConformance({
  async open(seeds) {
    opened ??= openOnce()
    const { data, run } = await opened
    await run(conformanceRows(engine, seeds).join(';\n'))
    return data
  },
  // Statements without a transaction return what they have written.
  autocommit: false,
  // The engine finds no words as the others do.
  searches: false,
})
for (const { name, run } of cases) test(name, run)
