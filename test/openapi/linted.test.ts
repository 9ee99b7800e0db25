import { describe, expect, test } from 'vitest'
import { atomic, defaultProfiles, filterTreeProfile } from 'ashlar'
import { actingServer } from '../support/acting-albums.js'
import { catalogueServer } from '../support/catalogue.js'
import { linkedMusic } from '../support/linked-music.js'
import { lintProblems } from '../support/linted.js'
import { scopedMusic } from '../support/scoped-music.js'
import { strictProblems, strictSchemaProblems } from '../support/strict-schemas.js'
import { versionedServer } from '../support/versioned-music.js'

const catalogue = catalogueServer({ extensions: [atomic()] })
const linked = linkedMusic()
const scoped = scopedMusic()
const versioned = versionedServer()
const acting = actingServer()

const documents = [
  ['the catalogue', () => catalogue.openapi()],
  ['the catalogue for admins', () => catalogue.openapi('admin')],
  ['relations of all kinds', () => linked.openapi()],
  ['policies', () => scoped.openapi()],
  ['versions', () => versioned.openapi()],
  ['actions', () => acting.openapi()],
] as const

describe.each(documents)('the document of %s', (_name, documentOf) => {
  test('has nothing that a validator or a linter finds', async () => {
    expect(await lintProblems(documentOf())).toEqual([])
  })
})

const trees = { profiles: [...defaultProfiles, filterTreeProfile] }
const withTrees = catalogueServer({ extensions: [atomic()], ...trees })

test.each(['3.1', '3.2'] as const)('the document of filter trees is valid OpenAPI %s', async (openapiVersion) => {
  const document = withTrees.openapi('default', { openapiVersion })
  expect(document.openapi).toBe(`${openapiVersion}.0`)
  expect(await lintProblems(document)).toEqual([])
})

test('the document of the catalogue has schemas that the strict mode of Ajv accepts, and examples that fit', () => {
  expect(strictProblems(catalogue.openapi())).toEqual([])
})

test.each([
  ['the catalogue', () => catalogue.jsonSchemas()],
  ['relations of all kinds', () => linked.jsonSchemas()],
] as const)('the JSON Schemas of %s pass the strict mode of Ajv', (_name, schemasOf) => {
  expect(strictSchemaProblems(schemasOf())).toEqual([])
})

describe('the linter', () => {
  test('finds a reference that cannot be resolved, and a component that is not used', async () => {
    const { components, ...rest } = catalogue.openapi()
    const { Meta: _, ...schemas } = components['schemas'] as Readonly<Record<string, unknown>>
    const problems = await lintProblems({ ...rest, components: { ...components, schemas: { ...schemas, Unused: {} } } })
    expect(problems.join('\n')).toMatch(/no-unresolved-refs/)
    expect(problems.join('\n')).toMatch(/no-unused-components: .*Unused/)
  })

  test('the strict mode finds keywords without effect, and examples that do not fit', () => {
    const wrong = { Odd: { type: 'string', minLenght: 3 }, Old: { type: 'integer', examples: ['x'] } }
    const problems = strictProblems({ openapi: '3.1.0', components: { schemas: wrong } }).join('\n')
    expect(problems).toMatch(/unknown keyword: "minLenght"/)
    expect(problems).toMatch(/the example "x": data must be integer/)
  })
})
