import { describe, expect, it } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { attributeKit } from '../../src/declare/resource/fields/attribute-kit.js'
import { filterKit } from '../../src/declare/resource/filters/filter-kit.js'

const a = attributeKit<Record<string, unknown>>()
const f = filterKit<string>()

describe('the schemas of attributes', () => {
  it.each(Object.keys(a) as (keyof typeof a)[])(
    'are one object for every %s(), so that it is compiled once',
    (kind) => {
      const [one, other] = [a[kind](), a[kind]()] as unknown as [AttributeDeclaration, AttributeDeclaration]
      expect(one.spec.kind).toBe(other.spec.kind)
      expect(one.spec.constraints.every((constraint, index) => constraint === other.spec.constraints[index])).toBe(true)
    },
  )

  it('are one object for all kinds of text', () => {
    const kinds = [a.string(), a.email(), a.uuid(), a.dateTime()] as unknown as readonly AttributeDeclaration[]
    expect(new Set(kinds.map(({ spec }) => spec.kind.schema)).size).toBe(1)
  })
})

describe('the schema of a filter value', () => {
  it.each([
    ['numeric', f.where().numeric()],
    ['numeric', f.numeric()],
    ['numeric', f.range()],
    ['integer', f.where().integer()],
    ['boolean', f.where().boolean()],
    ['boolean', f.boolean()],
    ['uuid', f.where().uuid()],
    ['pattern', f.where().pattern(/a/)],
  ])('has the name %s', (name, { spec }) => {
    expect(spec.constraints).toMatchObject([{ kind: 'schema', name, family: 'text' }])
  })
})
