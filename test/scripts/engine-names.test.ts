import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findEngineNames } from '../../scripts/engine-names.mjs'

const made: string[] = []

const dialects = {
  'src/stores/sql/dialect/postgres/postgres-dialect.ts': `export const dialect = { name: 'postgres' }`,
  'src/stores/sql/dialect/sqlite/sqlite-dialect.ts': `export const dialect = { name: 'sqlite' }`,
}

/** Returns the findings in a folder with the two dialects and other files. */
function check(
  files: Readonly<Record<string, string>>,
  allowed: Partial<Parameters<typeof findEngineNames>[1]> = {},
): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'engine-names-'))
  made.push(root)
  for (const [name, text] of Object.entries({ ...dialects, ...files })) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return findEngineNames(root, { names: {}, imports: {}, ...allowed }).map(
    ({ file, line, problem }) => `${file}:${line} ${problem.split(':')[0]}`,
  )
}

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('the check of engine names', () => {
  it('passes code that asks the dialect, and names in comments', () => {
    expect(check({ 'src/stores/lock.ts': `// On 'postgres'.\nexport const lock = (can) => can.lockRows` })).toEqual([])
  })

  it('refuses a comparison with a name, and a property with one', () => {
    const found = check({
      'src/stores/lock.ts': `export const lock = (engine) =>\n  engine === 'postgres'`,
      'src/stores/types.ts': `export const types = { sqlite: 'text' }`,
    })
    expect(found).toEqual([
      `src/stores/lock.ts:2 contains the name 'postgres'`,
      `src/stores/types.ts:1 contains the name 'sqlite'`,
    ])
  })

  it('refuses an import from the folder of a dialect', () => {
    const found = check({
      'src/stores/sql/dialect/dialects.ts': `import './sqlite/sqlite-dialect.js'`,
      'src/stores/sql/store.ts': `import './dialect/postgres/postgres-dialect.js'`,
    })
    expect(found).toEqual([
      `src/stores/sql/dialect/dialects.ts:1 imports './sqlite/sqlite-dialect.js'`,
      `src/stores/sql/store.ts:1 imports './dialect/postgres/postgres-dialect.js'`,
    ])
  })

  it('permits both in files that are listed, and refuses a list that is too long or out of date', () => {
    const file = 'src/stores/types.ts'
    expect(check({ [file]: `export const types = { sqlite: 'text' }` }, { names: { [file]: 'A choice.' } })).toEqual([])
    expect(check({}, { imports: { [file]: 'A registry.' } })).toEqual([`${file}:1 needs no exception`])
    const files = Array.from({ length: 10 }, (_, index) => `src/stores/types-${index}.ts`)
    const named = Object.fromEntries(files.map((name) => [name, `export const engine = 'sqlite'`]))
    const reasons = Object.fromEntries(files.map((name) => [name, 'A choice.']))
    expect(check(named, { names: reasons })).toEqual(['scripts/engine-names.json:1 allows 10 files, more than 9'])
  })
})
