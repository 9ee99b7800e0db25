import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorDocs } from '../../scripts/error-docs.mjs'
import { catalogue, catalogueSubjects } from '../../src/core/errors/catalogue.js'
import { sentences } from '../../src/core/errors/sentence.js'

const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')

test('docs/reference/errors.md matches the catalogue', () => {
  expect(page, 'run `node scripts/error-docs.mjs`').toBe(errorDocs(catalogueSubjects, sentences))
})

test.each(Object.keys(catalogue))('docs/reference/errors.md has one row for %s', (code) => {
  expect(page.split('\n').filter((line) => line.startsWith(`| \`${code}\` |`))).toHaveLength(1)
})
