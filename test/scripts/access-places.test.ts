import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { places } from '../../scripts/access-places.mjs'

test('every position that checks an access rule is found in its file, once', () => {
  const found = places.map(({ file, text }) => ({ file, text, count: occurrences(file, text) }))
  expect(found.filter(({ count }) => count !== 1)).toEqual([])
})

test('docs/internals/access-checks.md lists every place in the row of its file', () => {
  const page = readFileSync(new URL('../../docs/internals/access-checks.md', import.meta.url), 'utf8')
  const rows = new Map([...page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, file, cell = '']) => [file, cell]))
  const listed = (file: string): readonly string[] =>
    (rows.get(file.replace('src/', '')) ?? '')
      .split('; ')
      .map((check) => check.replace(/ \((?:memory|postgres)\)$/, ''))
  expect(places.filter(({ file, name }) => !listed(file).includes(name))).toEqual([])
})

const occurrences = (file: string, text: string): number =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(text).length - 1
