import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { attributeProblems, areCertainlyValid } from '../../src/serve/validation/attribute-problems.js'
import { schemaValidator } from '../../src/serve/validation/schema-validator.js'
import type { Validation } from '../../src/serve/validation/validation.js'
import { nothingStored } from '../../src/serve/validation/validation.js'
import { compileAttribute } from '../../src/declare/resource/compiled/compile-attribute.js'
import { attributeOf } from '../../src/declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../src/declare/resource/fields/constraint.js'
import { dateKind } from '../../src/declare/resource/fields/moment-kind.js'
import {
  booleanKind,
  hashKind,
  integerKind,
  listKind,
  stringKind,
} from '../../src/declare/resource/fields/value-kind.js'
import { rounds } from '../support/runs.js'

const kinds = fc.constantFrom(stringKind, integerKind, booleanKind, listKind, dateKind, hashKind)

const on = fc.constantFrom('always' as const, 'create' as const, 'update' as const)

const schema = fc.constantFrom<Pick<Extract<Constraint, { kind: 'schema' }>, 'name' | 'family' | 'schema'>>(
  { name: 'maxLength', family: 'text', schema: { maxLength: 3 } },
  { name: 'minLength', family: 'text', schema: { minLength: 1 } },
  { name: 'min', family: 'number', schema: { minimum: 1 } },
  { name: 'maxItems', family: 'list', schema: { maxItems: 1 } },
  { name: 'in', family: 'any', schema: { enum: ['abc', '2020-01-01', 5] } },
  { name: 'notIn', family: 'any', schema: { not: { enum: ['abc', '2020-01-01', 5] } } },
)

const rule: fc.Arbitrary<Constraint> = fc.letrec<{ rule: Constraint; rules: Constraint[] }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({ kind: fc.constantFrom('required', 'nullable', 'unique'), on }) as fc.Arbitrary<Constraint>,
    fc.tuple(schema, on).map(([parts, when]) => ({ kind: 'schema' as const, on: when, ...parts })),
    fc.record({ kind: fc.constant('sequentially'), on, constraints: tie('rules') }) as fc.Arbitrary<Constraint>,
    on.map((when) => ({ kind: 'when' as const, on: when, condition: () => true, constraints: [] })),
    on.map((when) => ({ kind: 'custom' as const, on: when, name: 'mine', schema: null, test: () => 'No.' })),
  ),
  rules: fc.array(tie('rule'), { maxLength: 2 }),
})).rule

const values = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'abc',
  'abcd',
  'a\u0000',
  '\ud800',
  '2020-01-01',
  '2020-13-01',
  0,
  5,
  1.5,
  true,
  [],
  ['a'],
  [1],
  {},
  { a: 1 },
)

const attribute = fc.record({ kind: kinds, rules: fc.array(rule, { maxLength: 3 }), value: values })

const modes = fc.constantFrom('create' as const, 'update' as const)

/** Another one than that of new resources, so that everything is checked. */
const nothing: Validation['stored'] = () => undefined

test('values that the fast check accepts have no violation', () => {
  const schemas = schemaValidator({ isSound: true })
  const context = {
    server: 'default',
    type: 'albums',
    operation: 'CreateResource',
    caller: null,
    request: null,
  } as const
  const seen = { sound: 0, unsound: 0, passedOver: 0 }
  fc.assert(
    fc.property(fc.array(attribute, { minLength: 1, maxLength: 3 }), modes, (attributes, mode) => {
      const writable = attributes.map(({ kind, rules }, index) => {
        return compileAttribute(`a${index}`, { ...attributeOf(kind).spec, constraints: rules })
      })
      const sent = Object.fromEntries(attributes.map(({ value }, index) => [`a${index}`, value]))
      const validation = {
        mode,
        context,
        schemas,
        limit: 10,
        writable,
        row: null,
        validateStored: false,
      } as const
      const problems = attributeProblems(sent, { ...validation, stored: nothing })
      const isSound = areCertainlyValid(sent, { ...validation })
      if (isSound) expect(problems).toEqual([])
      expect(attributeProblems(sent, { ...validation, stored: nothingStored })).toEqual(problems)
      seen[isSound ? 'sound' : (problems as readonly unknown[]).length > 0 ? 'unsound' : 'passedOver'] += 1
    }),
    { numRuns: rounds(1000, 10_000) },
  )
  // All cases occur, or the property proves nothing.
  expect(Math.min(seen.sound, seen.unsound, seen.passedOver)).toBeGreaterThan(5)
})
