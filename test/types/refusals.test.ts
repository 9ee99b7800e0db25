import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Checked, check } from './compiler.js'

const folder = fileURLToPath(new URL('refusals/', import.meta.url))
const fixtures = readdirSync(folder).map((name) => `${folder}${name}`)

/** A line that must not compile, and what the compiler must say of it. */
interface Refused {
  readonly line: number
  readonly sentence: string
}

/** `// refuses: <sentence>` stands above the line it speaks of. */
function refusedLines(fixture: string): readonly Refused[] {
  const lines = readFileSync(fixture, 'utf8').split('\n')
  return lines.flatMap((text, index) => {
    const sentence = /^\s*\/\/ refuses: (.+)$/.exec(text)?.[1]
    return sentence === undefined ? [] : [{ line: index + 2, sentence }]
  })
}

describe('what must not compile', () => {
  let checked: Checked
  beforeAll(() => {
    checked = check(fixtures)
    // The compiler finds faults when it is asked, and keeps them: the first to ask pays for all.
    for (const fixture of fixtures) checked.findings(fixture)
  })

  for (const fixture of fixtures) {
    describe(basename(fixture), () => {
      const refused = refusedLines(fixture)

      for (const { line, sentence } of refused) {
        it(`line ${line}: ${sentence}`, () => {
          const here = checked.findings(fixture).filter((finding) => finding.line === line)
          expect(here.map(({ text }) => text)).toEqual([expect.stringContaining(sentence)])
        })
      }

      it('has no other fault', () => {
        const lines = new Set(refused.map(({ line }) => line))
        expect(checked.findings(fixture).filter(({ line }) => !lines.has(line))).toEqual([])
      })
    })
  }
})
