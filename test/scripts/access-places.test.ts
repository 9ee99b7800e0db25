import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { places } from '../../scripts/access-places.mjs'

test('every position that checks an access rule is found in its file, once', () => {
  const found = places.map(({ file, text }) => ({ file, text, count: occurrences(file, text) }))
  expect(found.filter(({ count }) => count !== 1)).toEqual([])
})

const occurrences = (file: string, text: string): number =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(text).length - 1
