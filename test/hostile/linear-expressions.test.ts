import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import typescript from 'typescript'
import { expect, it } from 'vitest'
import { expectLinear } from '../support/growth.js'

const root = fileURLToPath(new URL('../../src/', import.meta.url))

/** Code that reads only what the developer has written, such as declarations, settings, files and the schema of a database. */
const ofDeveloper =
  /^(?:client|declare\/discovery|describe\/contract|server\/assembly|stores\/sql\/schema|stores\/sql\/dialect\/\w+\/(?:pull|schema)|tools)\//

/** A check of a column, as the schema of the database contains it. */
const ofSchema = ['stores/sql/write/constraint-violations/allowed-values.ts']

interface SourceExpression {
  readonly file: string
  readonly text: string
  readonly expression: RegExp
}

/** Returns the regular expressions of the source that may read what a client has sent or stored. */
function sourceExpressions(): readonly SourceExpression[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const read = files.filter((file) => file.endsWith('.ts') && !ofDeveloper.test(file) && !ofSchema.includes(file))
  return read.flatMap((file) => {
    const found: SourceExpression[] = []
    const visit = (node: typescript.Node): void => {
      if (typescript.isRegularExpressionLiteral(node)) {
        const { text } = node
        const end = text.lastIndexOf('/')
        found.push({ file, text, expression: new RegExp(text.slice(1, end), text.slice(end + 1)) })
      }
      typescript.forEachChild(node, visit)
    }
    visit(typescript.createSourceFile(file, readFileSync(root + file, 'utf8'), typescript.ScriptTarget.Latest))
    return found
  })
}

/**
 * Whether the form of an expression shows that it takes linear time: it repeats nothing, or it matches only at one place and has one
 * repetition, with which nothing else can compete.
 */
function isLinearByForm({ expression }: SourceExpression): boolean {
  const { source, flags } = expression
  const plain = source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  const repetitions = plain.match(/[*+]|\{\d+,?\d*\}/g) ?? []
  const hasOnePlace = flags.includes('y') || (plain.startsWith('^') && !flags.includes('m'))
  return repetitions.length === 0 || (repetitions.length === 1 && hasOnePlace && !plain.includes('|'))
}

const usual = ['a', 'A', '1', '0', ' ', '\t', '\n', ',', '"', '\\', '-', '.', ':', '/', '(', "'", '_', '=']

/** Returns functions that repeat characters of an expression, or two of them, between a start and an end that may not match. */
function textsFor({ text }: SourceExpression): readonly ((size: number) => string)[] {
  const own = text.replaceAll(/\\[bdpsuwBDPSW]|[()[\]{}|^$?*+\\]/g, '').split('')
  const characters = [...new Set([...own, ...usual])]
  const first = characters.slice(0, 8)
  const words = text.match(/[a-z]{3,}/gi) ?? []
  const units = [...characters, ...words, ...first.flatMap((one) => first.map((other) => one + other))]
  return units.flatMap((unit) =>
    ['', 'a', '"', ...words].flatMap((start) =>
      ['!', '\n'].map((end) => (size: number) => start + unit.repeat(size / unit.length) + end),
    ),
  )
}

/** Finds all matches. */
function run(expression: RegExp, text: string): void {
  expression.lastIndex = 0
  text.replace(expression, '')
}

const size = 8_192

/** Work below this time, in milliseconds, is no concern: a quadratic expression takes several times as long. */
const negligible = 10

/** Returns the text for which the time grows faster than its length; `null` if there is none. */
async function costlyText(each: SourceExpression): Promise<string | null> {
  for (const textOf of textsFor(each)) {
    const text = textOf(size)
    const start = performance.now()
    run(each.expression, text)
    if (performance.now() - start < negligible) continue
    const work = (length: number) => {
      const sized = textOf(length)
      return () => run(each.expression, sized)
    }
    const isLinear = await expectLinear(work, { small: size / 8 }).then(
      () => true,
      () => false,
    )
    if (!isLinear) return `${JSON.stringify(text.slice(0, 12))}…`
  }
  return null
}

it('Every expression that may read the text of a client takes linear time', async () => {
  const expressions = sourceExpressions()
  expect(expressions.length).toBeGreaterThan(100)
  const costly: string[] = []
  for (const each of expressions.filter((one) => !isLinearByForm(one))) {
    const text = await costlyText(each)
    if (text !== null) costly.push(`${each.file}: ${each.text} for ${text}`)
  }
  expect(costly).toEqual([])
})
