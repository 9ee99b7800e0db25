import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Compilation, compile } from '../support/compile.js'

const folder = fileURLToPath(new URL('refusals/', import.meta.url))
const fixtures = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(`${folder}${name}`, 'utf8')]))

/** A line that must not compile, and the expected message of the compiler. */
interface Refused {
  readonly line: number
  readonly sentence: string
}

/** `// refuses: <sentence>` is above its line. */
function refusedLines(fixture: string): readonly Refused[] {
  return fixture.split('\n').flatMap((text, index) => {
    const sentence = /^\s*\/\/ refuses: (.+)$/.exec(text)?.[1]
    return sentence === undefined ? [] : [{ line: index + 2, sentence }]
  })
}

describe('errors of the compiler', () => {
  let compilation: Compilation
  beforeAll(async () => {
    compilation = await compile(fixtures)
  })

  for (const [name, fixture] of Object.entries(fixtures)) {
    describe(name, () => {
      const refused = refusedLines(fixture)

      for (const { line, sentence } of refused) {
        it(`line ${line}: ${sentence}`, () => {
          const here = compilation.diagnosticsOf(name).filter((diagnostic) => diagnostic.line === line)
          expect(here.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)])
        })
      }

      it('has no other error', () => {
        const lines = new Set(refused.map(({ line }) => line))
        expect(compilation.diagnosticsOf(name).filter(({ line }) => !lines.has(line))).toEqual([])
      })
    })
  }
})
