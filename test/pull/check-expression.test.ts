import { expect, test } from 'vitest'
import { readCheck } from '../../src/tools/pull/plan/check-expression.js'

test.each([
  ['price >= 0', [{ column: 'price', min: '0' }]],
  ['(price >= (0)::numeric)', [{ column: 'price', min: '0' }]],
  ['0 < price', [{ column: 'price', exclusiveMin: '0' }]],
  ['"Unit Price" > -1.5', [{ column: 'Unit Price', exclusiveMin: '-1.5' }]],
  ["(discount >= '-1.5'::numeric)", [{ column: 'discount', min: '-1.5' }]],
  ['[Quantity] > (0)', [{ column: 'Quantity', exclusiveMin: '0' }]],
  ['year between 1901 and 2155', [{ column: 'year', min: '1901', max: '2155' }]],
  [
    '((VALUE >= 1901) AND (VALUE <= 2155))',
    [
      { column: 'VALUE', min: '1901' },
      { column: 'VALUE', max: '2155' },
    ],
  ],
  [
    'a between 1 and 2 and b < 3',
    [
      { column: 'a', min: '1', max: '2' },
      { column: 'b', exclusiveMax: '3' },
    ],
  ],
  ["rating in ('G', 'it''s')", [{ column: 'rating', values: ['G', "it's"] }]],
  ['active in (0, 1)', [{ column: 'active', values: [0, 1] }]],
  [
    "((rating)::text = ANY ((ARRAY['G'::character varying, 'PG-13'::character varying])::text[]))",
    [{ column: 'rating', values: ['G', 'PG-13'] }],
  ],
  ["(status = ANY (ARRAY['a'::text, 'b'::text]))", [{ column: 'status', values: ['a', 'b'] }]],
  ['(char_length((title)::text) <= 200)', [{ column: 'title', maxLength: 200 }]],
  ['length(code) = 3', [{ column: 'code', minLength: 3, maxLength: 3 }]],
  ["(jsonb_typeof(extra) = 'object'::text)", [{ column: 'extra', jsonType: 'object' }]],
])('%s', (expression, checked) => {
  expect(readCheck(expression)).toEqual(checked)
})

test.each([
  'a > b',
  'a > 0 or b > 0',
  '(a > 0) or (a is null)',
  'not (a > 0)',
  'a + b > 3',
  'lower(a) = a',
  "a like 'x%'",
  "email ~ '^[a-z]+$'",
  "started < '2020-01-01'",
  'a <> 0',
  'a is not null',
  '',
])('does not understand %s', (expression) => {
  expect(readCheck(expression)).toEqual([])
})

test('leaves out only the part that it does not understand', () => {
  expect(readCheck("((price > 0) AND (name ~ 'x'))")).toEqual([{ column: 'price', exclusiveMin: '0' }])
})
