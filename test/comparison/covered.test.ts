import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changeKinds } from '../../src/tools/comparison/kinds/change-kinds.js'

const texts = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.test.ts') && file !== 'covered.test.ts')
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

test.each(Object.entries(changeKinds))('a test expects %s with its severity', (code, { severity }) => {
  expect(texts).toMatch(new RegExp(`['\`]${severity} ${code}\\b`))
})

test('breaking kinds of change have a remedy, and no others', () => {
  for (const { severity, remedy } of Object.values(changeKinds)) {
    expect(remedy !== undefined).toBe(severity === 'breaking')
  }
})
