import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { declarationRules } from './declaration-rules.js'
import { endpointRules } from './endpoint-rules.js'
import { failureRules } from './failure-rules.js'
import { fieldRules } from './field-rules.js'
import { queryRules } from './query-rules.js'
import { rulesPage } from './rules-page.js'

const root = new URL('../../../', import.meta.url)
const chapters = [...declarationRules, ...fieldRules, ...endpointRules, ...queryRules, ...failureRules]

describe.each(chapters)('$title', ({ rules }) => {
  test.each(rules)('$rule', ({ rule, code, test: [file, name] }) => {
    expect(rule).toMatch(/^[`A-Z].*\.$/)
    expect(existsSync(new URL(`src/${code}`, root)), `src/${code}`).toBe(true)
    const tests = readFileSync(new URL(`test/${file}.test.ts`, root), 'utf8')
    const isThere = [`'${name}'`, `"${name}"`].some((quoted) => tests.includes(quoted))
    expect(isThere, `${file} has no '${name}'`).toBe(true)
  })
})

test('each rule is listed once', () => {
  const texts = chapters.flatMap(({ rules }) => rules.map(({ rule }) => rule))
  expect(new Set(texts).size).toBe(texts.length)
})

test('docs/internals/rules.md shows the ledger (written by `npx vitest run test/docs/rules --update`)', async () => {
  await expect(rulesPage(chapters)).toMatchFileSnapshot('../../../docs/internals/rules.md')
})
