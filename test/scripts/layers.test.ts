import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { describeViolation, findViolations } from '../../scripts/layers.mjs'

const layers = {
  wings: {
    core: [['util'], ['http', 'document']],
    stores: [['data']],
    serve: [['handler'], ['render'], ['adapters']],
    client: [['.'], ['cache']],
  },
  never: { 'serve/render': ['stores', 'serve/handler'] },
  only: { 'serve/adapters': ['core/util', 'core/http'], client: ['client'] },
  within: { 'serve/handler': [['.'], ['query', 'rows'], ['plan']] },
}

const made: string[] = []

/** Writes the files under a new `src` folder and returns the findings of the layers. */
function check(files: Record<string, string>): { rule: string; file: string; imports: string }[] {
  const parent = mkdtempSync(join(tmpdir(), 'layers-'))
  made.push(parent)
  for (const [name, text] of Object.entries(files)) {
    const path = join(parent, 'src', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return findViolations(join(parent, 'src'), layers).map(({ rule, file, imports }) => ({ rule, file, imports }))
}

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('layers', () => {
  it('passes a tree whose folders import only folders above them', () => {
    const violations = check({
      'index.ts': `export { render } from './serve/render/render.js'\nexport type { Row } from './stores/data/row.js'`,
      'core/util/frozen.ts': `import { isPlain } from './plain.js'\nexport const frozen = isPlain`,
      'core/util/plain.ts': `export const isPlain = true`,
      'core/http/request.ts': `import { frozen } from '../util/frozen.js'\nexport const request = frozen`,
      'stores/data/row.ts': `import type { request } from '../../core/http/request.js'\nexport type Row = typeof request`,
      'serve/render/render.ts': `import { request } from '../../core/http/request.js'\nimport 'node:fs'\nexport const render = request`,
    })
    expect(violations).toEqual([])
  })

  it('refuses an import of a folder further down', () => {
    const violations = check({
      'core/util/frozen.ts': `import { row } from '../../stores/data/sql/row.js'\nexport const frozen = row`,
      'stores/data/sql/row.ts': `export const row = 1`,
    })
    expect(violations).toEqual([
      { rule: 'upward', file: 'src/core/util/frozen.ts', imports: '../../stores/data/sql/row.js' },
    ])
  })

  it('refuses an import between siblings', () => {
    const violations = check({
      'core/http/request.ts': `import { pointer } from '../document/pointer.js'\nexport const request = pointer`,
      'core/document/pointer.ts': `export const pointer = ''`,
    })
    expect(violations).toEqual([
      { rule: 'sibling', file: 'src/core/http/request.ts', imports: '../document/pointer.js' },
    ])
  })

  it.each([
    ['a type-only import', `import type { Row } from '../../stores/data/row.js'\nexport type Same = Row`],
    ['an inline type import', `export type Same = import('../../stores/data/row.js').Row`],
    ['a re-export', `export type { Row } from '../../stores/data/row.js'`],
    ['a dynamic import', `export const later = () => import('../../stores/data/row.js')`],
  ])('refuses %s like any other', (_name, text) => {
    const violations = check({ 'core/util/same.ts': text, 'stores/data/row.ts': `export interface Row {}` })
    expect(violations).toEqual([{ rule: 'upward', file: 'src/core/util/same.ts', imports: '../../stores/data/row.js' }])
  })

  it('refuses a circular import within one folder and names it', () => {
    const violations = check({
      'stores/data/a.ts': `import { b } from './b.js'\nexport const a = b`,
      'stores/data/b.ts': `import { c } from './c.js'\nexport const b = c`,
      'stores/data/c.ts': `import type { a } from './a.js'\nexport const c = 1 as unknown as typeof a`,
      'stores/data/d.ts': `import { a } from './a.js'\nexport const d = a`,
    })
    expect(violations).toEqual([
      {
        rule: 'cycle',
        file: 'src/stores/data/a.ts',
        imports: 'src/stores/data/a.ts -> src/stores/data/b.ts -> src/stores/data/c.ts -> src/stores/data/a.ts',
      },
    ])
  })

  it('refuses a folder that is not in the list, once', () => {
    const violations = check({
      'core/helpers/one.ts': `import { two } from './two.js'\nexport const one = two`,
      'core/helpers/two.ts': `import { plain } from '../util/plain.js'\nexport const two = plain`,
      'core/util/plain.ts': `export const plain = 1`,
    })
    expect(violations).toEqual([{ rule: 'unknown-folder', file: 'src/core/helpers', imports: 'core/helpers/' }])
  })

  it('refuses an import of an entry file, by path or by the name of the package', () => {
    const violations = check({
      'index.ts': `export { row } from './stores/data/row.js'`,
      'stores/data/row.ts': `export const row = 1`,
      'serve/handler/read.ts': `import { row } from '../../index.js'\nimport 'ashlar'\nexport const read = row`,
    })
    expect(violations.map(({ rule, imports }) => [rule, imports])).toEqual([
      ['entry-file', '../../index.js'],
      ['entry-file', 'ashlar'],
    ])
  })

  it('refuses a forbidden import, though its folder is above', () => {
    const violations = check({
      'stores/data/row.ts': `export interface Row {}`,
      'serve/render/render.ts': `import type { Row } from '../../stores/data/row.js'\nexport type Rendered = Row`,
    })
    expect(violations).toEqual([
      { rule: 'never', file: 'src/serve/render/render.ts', imports: '../../stores/data/row.js' },
    ])
  })

  it('refuses a folder that is not on the allow-list of a folder', () => {
    const violations = check({
      'core/http/request.ts': `export const request = 1`,
      'serve/render/render.ts': `export const render = 1`,
      'serve/adapters/node.ts': `import { request } from '../../core/http/request.js'\nimport { render } from '../render/render.js'\nexport const node = request + render`,
    })
    expect(violations).toEqual([{ rule: 'only', file: 'src/serve/adapters/node.ts', imports: '../render/render.js' }])
  })

  it('takes a wing as one of the folders that it may import, and the files directly in a wing as a folder', () => {
    const violations = check({
      'core/util/plain.ts': `export const plain = 1`,
      'client/send.ts': `export const send = 1`,
      'client/type.ts': `import { plain } from '../core/util/plain.js'\nexport const type = plain`,
      'client/cache/query.ts': `import { send } from '../send.js'\nexport const query = send`,
      'client/read.ts': `import { query } from './cache/query.js'\nexport const read = query`,
    })
    expect(violations).toEqual([
      { rule: 'upward', file: 'src/client/read.ts', imports: './cache/query.js' },
      { rule: 'only', file: 'src/client/type.ts', imports: '../core/util/plain.js' },
    ])
  })

  it('refuses an import that leaves the sources or cannot be resolved', () => {
    const violations = check({
      'stores/data/row.ts': `import '../../../package.json'\nimport './gone.js'\nexport const row = 1`,
    })
    expect(violations.map(({ rule, imports }) => [rule, imports])).toEqual([
      ['outside', '../../../package.json'],
      ['unresolved', './gone.js'],
    ])
  })

  it('passes a text that becomes part of the bundle, in any folder', () => {
    const violations = check({
      'stores/data/row.ts': `import text from '../../serve/handler/read.ts?raw'\nimport gone from './gone.css?raw'\nexport const row = text + gone`,
      'serve/handler/read.ts': `export const read = 1`,
    })
    expect(violations.map(({ rule, imports }) => [rule, imports])).toEqual([['unresolved', './gone.css?raw']])
  })

  it('passes subfolders that import only subfolders above them, and files directly in the folder', () => {
    const violations = check({
      'serve/handler/context.ts': `export const context = 1`,
      'serve/handler/query/filter.ts': `import { context } from '../context.js'\nexport const filter = context`,
      'serve/handler/plan/plan.ts': `import { filter } from '../query/filter.js'\nexport const plan = filter`,
      'serve/render/deep/render.ts': `export const render = 1`,
    })
    expect(violations).toEqual([])
  })

  it('refuses a subfolder that imports one below it, one on the same level, or is not in the list', () => {
    const violations = check({
      'serve/handler/context.ts': `import { rows } from './rows/rows.js'\nexport const context = rows`,
      'serve/handler/rows/rows.ts': `import type { filter } from '../query/filter.js'\nexport const rows = 1 as unknown as typeof filter`,
      'serve/handler/query/filter.ts': `export const filter = 1`,
      'serve/handler/steps/step.ts': `export const step = 1`,
    })
    expect(violations).toEqual([
      { rule: 'unknown-folder', file: 'src/serve/handler/steps', imports: 'serve/handler/steps/' },
      { rule: 'upward', file: 'src/serve/handler/context.ts', imports: './rows/rows.js' },
      { rule: 'sibling', file: 'src/serve/handler/rows/rows.ts', imports: '../query/filter.js' },
    ])
  })

  it('names file, import, rule and remedy', () => {
    const text = describeViolation({ file: 'src/a/b.ts', imports: '../c/d.js', rule: 'upward', advice: 'move it' })
    expect(text).toBe('src/a/b.ts\n  imports  ../c/d.js\n  rule     upward\n  remedy   move it')
  })
})
