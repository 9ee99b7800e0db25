import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failureText } from '../../../src/tools/cli/dev/failure-text.js'
import { loadFailure, ServeError } from '../../../src/tools/cli/dev/load-failure.js'
import { shownPath } from '../../../src/tools/cli/shown-path.js'
import { availableTransform } from '../../../src/tools/cli/typescript/transform.js'
import { sourceFolder } from '../../support/source-folder.js'

const lines = [
  'import { albums } from "./albums.js"',
  "import { pool } from '@music/pool'",
  '',
  '\tconst title = {',
  '',
]

/** A file with these lines, and the error that Node or the compiler reports about it. */
async function failureOf(error: (file: string) => unknown, text = lines.join('\n')) {
  const file = join(sourceFolder({ 'server.ts': text }), 'server.ts')
  const { location, ...failure } = await loadFailure(error(file), [])
  return { ...failure, location: location?.replace(shownPath(file), 'server.ts') ?? null }
}

function notFound(what: string): (file: string) => Error {
  return (file) => new Error(`Cannot find ${what} imported from ${file}`)
}

function thrown(error: Error, stack: string): Error {
  return Object.assign(error, { stack })
}

describe('a failure', () => {
  test('has the location of a syntax error, with the lines around it', async () => {
    const transform = await availableTransform()
    const failing = (file: string): unknown => {
      try {
        return transform(file, lines.join('\n'))
      } catch (found) {
        return found
      }
    }
    const failure = await failureOf(failing)
    expect(failure.location).toMatch(/^server\.ts:5:1$/)
    expect(failure.frame).toBe('  3 |\n  4 | \tconst title = {\n> 5 |\n    | ^')
  })

  test('has the location of an import that cannot be resolved', async () => {
    expect(await failureOf(notFound("module '/music/albums.js'"))).toMatchObject({
      location: 'server.ts:1:24',
      frame: expect.stringMatching(/^> 1 \| import .*\n {4}\| {24}\^\n/),
    })
    expect((await failureOf(notFound("package '@music/pool'"))).location).toBe('server.ts:2:22')
  })

  test('has the location of a name that a module does not export', async () => {
    const error = new SyntaxError("The requested module './albums.js' does not provide an export named 'albums'")
    const failing = (file: string) => thrown(error, `${file}:1\nimport …\n\n${error.name}: ${error.message}\n`)
    expect(await failureOf(failing)).toMatchObject({
      location: 'server.ts:1:10',
      message: `SyntaxError: ${error.message} If 'albums' is a type, mark it: 'import type' or 'export type'.`,
    })
  })

  test('has the innermost location in the application that a stack trace names', async () => {
    const error = new TypeError('title is not a function\n    at /music/fake.ts:1:1')
    const stack = (file: string): string =>
      [
        `TypeError: ${error.message}`,
        '    at node:internal/process/task_queues:95:5',
        '    at run (/music/node_modules/pg/index.js:3:4)',
        `    at titleOf (${file}:4:8)`,
        '    at file:///music/main.js:9:9',
      ].join('\n')
    const failure = await failureOf((file) => thrown(error, stack(file)))
    expect(failure).toMatchObject({ location: 'server.ts:4:8', message: `TypeError: ${error.message}` })
    // The tab stays, so that the mark is below the column.
    expect(failure.frame).toContain('\n> 4 | \tconst title = {\n    | \t      ^\n')
  })

  test('is about the cause of an error, not about the module that discover() names', async () => {
    const cause = thrown(new RangeError('no such year'), 'RangeError: no such year')
    const failure = await failureOf(() => new Error('The module cannot be imported', { cause }))
    expect(failure).toEqual({ message: 'RangeError: no such year', location: null, frame: null })
  })

  test('of a build or a store has only the sentences', async () => {
    const build = Object.assign(new Error('The server cannot be built: one fault.'), { name: 'BuildError' })
    for (const error of [build, new ServeError('The database has no table.', { cause: new Error('other') })]) {
      expect(await failureOf(() => error)).toEqual({ message: error.message, location: null, frame: null })
    }
  })

  test('is found in JavaScript too, where Node does not report the location', async () => {
    const folder = sourceFolder({ 'good.js': 'export {}', 'bad.js': 'export const title = \n' })
    const files = ['good.js', 'bad.js'].map((name) => join(folder, name))
    const failure = await loadFailure(thrown(new SyntaxError('Unexpected end of input'), ''), files)
    expect(failure).toMatchObject({
      message: 'SyntaxError: Unexpected end of input',
      location: `${shownPath(join(folder, 'bad.js'))}:2:1`,
    })
  })

  test('may be any value', async () => {
    expect((await failureOf(() => 'stop')).message).toBe('The module throws: stop')
    expect(failureText({ message: 'm', location: 'a.ts:1', frame: '> 1' })).toBe('a.ts:1: m\n> 1')
    expect(failureText({ message: 'm', location: null, frame: null })).toBe('m')
  })
})

test('the source map of TypeScript maps to its locations', async () => {
  const transform = await availableTransform()
  const code = transform(
    'albums.ts',
    'interface A {\n  b: string\n}\n\nexport enum C { D }\nexport const a = null as unknown as A\n',
  )
  expect(code).toMatch(/C\["D"\] = 0|C\[C\["D"\] = 0\]/)
  expect(code).not.toContain('interface')
  const [, map = ''] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(code) ?? []
  expect(JSON.parse(Buffer.from(map, 'base64').toString())).toMatchObject({ sources: ['albums.ts'], version: 3 })
})
