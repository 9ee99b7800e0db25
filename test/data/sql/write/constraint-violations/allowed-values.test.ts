import { describe, expect, test } from 'vitest'
import {
  allowedByCheck,
  allowedByType,
} from '../../../../../src/stores/sql/write/constraint-violations/allowed-values.js'

describe('the values that a check constraint allows', () => {
  test.each([
    ['CHECK (((rating >= 1) AND (rating <= 5)))', 'This must be from 1 to 5.'],
    ['rating > 0 and rating < 6', 'This must be greater than 0, and be less than 6.'],
    ['CHECK ((rating > (0)::numeric))', 'This must be greater than 0.'],
    ['rating between 1 and 5', 'This must be from 1 to 5.'],
    ['rating BETWEEN -1.5 AND 5', 'This must be from -1.5 to 5.'],
    [`CHECK ((rating = ANY (ARRAY['a'::text, 'b'::text])))`, 'This must be one of a, b.'],
    [
      `CHECK (((rating)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))`,
      'This must be one of a, b.',
    ],
    [`"rating" in ('a', 'it''s', 'B and C')`, "This must be one of a, it's, B and C."],
    ['rating IN (1, 2, 3)', 'This must be one of 1, 2, 3.'],
    ['CHECK ((char_length(rating) <= 10))', 'This must have at most 10 characters.'],
    ['length(rating) <= 10', 'This must have at most 10 characters.'],
    [`CHECK (((rating)::text ~ '^(A|B and C)''$'::text))`, "This must match the regular expression ^(A|B and C)'$."],
  ])('%s', (condition, sentence) => {
    expect(String(allowedByCheck(condition, 'rating'))).toBe(sentence)
  })

  test.each([
    'rating <> 3',
    'rating >= 1 or rating is null',
    'rating > other',
    `rating in ('a', lower('B'))`,
    'rating % 2 = 0',
    `rating like 'a%'`,
    'length(rating) > 2',
    `CHECK ((rating !~ '^a'::text))`,
    `CHECK (((rating ~ '^a'::text) AND (rating ~ 'b$'::text)))`,
    '',
  ])('are unknown for %j, which is not understood', (condition) => {
    expect(allowedByCheck(condition, 'rating')).toBe(null)
  })

  test('are truncated if the list is long', () => {
    const values = Array.from({ length: 25 }, (_, index) => `'v${index}'`)
    expect(String(allowedByCheck(`rating in (${values.join(', ')})`, 'rating'))).toMatch(/v18, v19 and 5 more\.$/)
  })
})

describe('the values that a type allows', () => {
  test.each([
    ['character varying(3)', 'This must have at most 3 characters.'],
    ['character(3)', 'This must have at most 3 characters.'],
    ['numeric(5,2)', 'This must be a number with at most 3 digits before the decimal point.'],
    ['smallint', 'This must be a whole number from -32768 to 32767.'],
    ['inet', 'This is not a valid value of the type inet.'],
    ['timestamp(3) with time zone', 'This is not a valid value of the type timestamp(3) with time zone.'],
  ])('%s', (type, sentence) => {
    expect(String(allowedByType({ type, labels: null }))).toBe(sentence)
  })
})
