import { afterAll, expect, inject, test } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { endPrograms, startProgram } from '../support/program.js'
import { isLong } from '../support/runs.js'

afterAll(endPrograms)

// Each commit proves the plans of deep pages in test/data/sql/plans. `node bench/storage/growth.mjs` compares times, too.
test.runIf(isLong)(
  'in the long run, deep pages read no more than their rows, and the memory of the server does not grow',
  async () => {
    const program = startProgram(builtPackage().pathOf('bench/storage/growth.mjs'), {
      args: ['--rows', '100000', '--requests', '10000', '--pairs', '20', '--untimed'],
      environment: { DATABASE_URL: inject('databaseUrl') },
    })
    const code = await program.ended
    const { stdout, stderr } = program.output()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/rows read \d+/g)).toHaveLength(6)
  },
)
