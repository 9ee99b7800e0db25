import { rule } from 'ashlar'
import { expect, test } from 'vitest'
import { albums, changesFrom, contractOf, type Kit } from './compared.js'

type Declare = (a: Kit) => unknown

/** An attribute before and after, with the changes in both directions. `null` represents none. */
interface Case {
  readonly before: Declare | null
  readonly after: Declare | null
  readonly forth: readonly string[]
  readonly back: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  // Presence
  gone: { before: (a) => a.string(), after: null, forth: ['breaking member-removed'], back: ['safe member-added'] },
  needed: {
    before: null,
    after: (a) => a.string().required(),
    forth: ['breaking member-required'],
    back: ['breaking member-removed'],
  },
  demanded: {
    before: (a) => a.integer(),
    after: (a) => a.integer().requiredOnCreate(),
    forth: ['breaking member-required'],
    back: ['safe member-optional'],
  },
  unseen: {
    before: (a) => a.string(),
    after: (a) => a.string().writeOnly(),
    forth: ['breaking member-not-shown'],
    back: ['safe member-shown'],
  },
  rare: {
    before: (a) => a.string(),
    after: (a) => a.string().sparseByDefault(),
    forth: ['breaking member-not-always-shown'],
    back: ['safe member-always-shown'],
  },
  fixed: {
    before: (a) => a.string(),
    after: (a) => a.string().readOnly(),
    forth: ['breaking member-read-only'],
    back: ['safe member-writable'],
  },
  once: {
    before: (a) => a.string(),
    after: (a) => a.string().readOnlyOnUpdate(),
    forth: ['breaking member-read-only'],
    back: ['safe member-writable'],
  },
  // Types and forms
  retyped: {
    before: (a) => a.string(),
    after: (a) => a.boolean(),
    forth: ['breaking value-type-changed'],
    back: ['breaking value-type-changed'],
  },
  widened: {
    before: (a) => a.integer().min(0).max(9),
    after: (a) => a.decimal().min(0).max(9),
    forth: ['breaking value-type-changed', 'safe request-rule-loosened'],
    back: ['breaking value-type-changed', 'safe response-rule-tightened'],
  },
  reformatted: {
    before: (a) => a.time(),
    after: (a) => a.time().format('HH:mm'),
    forth: ['breaking value-form-changed'],
    back: ['breaking value-form-changed'],
  },
  dated: {
    before: (a) => a.date(),
    after: (a) => a.dateTime(),
    forth: ['breaking value-form-changed'],
    back: ['breaking value-form-changed'],
  },
  addressed: {
    before: (a) => a.string(),
    after: (a) => a.email(),
    forth: ['breaking request-rule-tightened', 'safe response-rule-tightened'],
    back: ['risky response-rule-loosened', 'safe request-rule-loosened'],
  },
  // Null
  nullable: {
    before: (a) => a.string(),
    after: (a) => a.string().nullable(),
    forth: ['breaking response-null-possible', 'safe request-null-accepted'],
    back: ['breaking request-null-refused', 'safe response-null-gone'],
  },
  // Listed values
  listed: {
    before: (a) => a.string().enum(['cd', 'lp']),
    after: (a) => a.string().enum(['cd', 'mc']),
    forth: [
      'breaking request-value-removed',
      'risky response-value-added',
      'safe request-value-added',
      'safe response-value-removed',
    ],
    back: [
      'breaking request-value-removed',
      'risky response-value-added',
      'safe request-value-added',
      'safe response-value-removed',
    ],
  },
  unlisted: {
    before: (a) => a.string(),
    after: (a) => a.string().in(['cd', 'lp']),
    forth: ['breaking request-rule-tightened'],
    back: ['safe request-rule-loosened'],
  },
  // Rules
  long: {
    before: (a) => a.string().maxLength(200),
    after: (a) => a.string().maxLength(100),
    forth: ['breaking request-rule-tightened'],
    back: ['safe request-rule-loosened'],
  },
  bounded: {
    before: (a) => a.decimal().min(1),
    after: (a) => a.decimal().exclusiveMin(1),
    forth: ['breaking request-rule-tightened'],
    back: ['safe request-rule-loosened'],
  },
  matched: {
    before: (a) => a.string().pattern(/^a/),
    after: (a) => a.string().pattern(/^b/),
    forth: ['risky request-rule-changed'],
    back: ['risky request-rule-changed'],
  },
  stepped: {
    before: (a) => a.decimal().multipleOf(0.1),
    after: (a) => a.decimal().multipleOf(0.5),
    forth: ['breaking request-rule-tightened'],
    back: ['safe request-rule-loosened'],
  },
  unique: {
    before: (a) => a.string(),
    after: (a) => a.string().unique(),
    forth: ['breaking request-rule-tightened'],
    back: ['safe request-rule-loosened'],
  },
  early: {
    before: (a) => a.date().before('2030-01-01'),
    after: (a) => a.date().before('2029-01-01'),
    forth: ['risky request-rule-changed'],
    back: ['risky request-rule-changed'],
  },
  shaped: {
    before: (a) => a.arrayHash(),
    after: (a) => a.arrayHash().shape({ propertyNames: { maxLength: 3 } }),
    forth: ['breaking request-rule-tightened'],
    back: ['safe request-rule-loosened'],
  },
  numbers: {
    before: (a) => a.arrayList().of('integer'),
    after: (a) => a.arrayList().of('integer').each(rule.max(5)),
    forth: ['breaking request-rule-tightened []'],
    back: ['safe request-rule-loosened []'],
  },
  items: {
    before: (a) => a.arrayList(),
    after: (a) => a.arrayList().of('boolean'),
    forth: ['breaking value-type-changed []'],
    back: ['breaking value-type-changed []'],
  },
  // Members of values
  label: {
    before: (a) => a.object().fields({ name: a.string(), code: a.string() }),
    after: (a) => a.object().fields({ name: a.string().required().maxLength(9), city: a.string() }),
    forth: [
      'breaking member-removed .code',
      'breaking member-required .name',
      'breaking request-rule-tightened .name',
      'breaking request-rule-tightened .name',
      'safe member-added .city',
    ],
    back: [
      'breaking member-removed .city',
      'safe member-added .code',
      'safe member-optional .name',
      'safe request-rule-loosened .name',
      'safe request-rule-loosened .name',
    ],
  },
  catalogue: {
    before: (a) => a.object().fields({ code: a.string(), secret: a.string() }),
    after: (a) => a.object().fields({ code: a.string().readOnly(), secret: a.string().writeOnly() }),
    forth: ['breaking member-not-shown .secret', 'breaking member-read-only .code'],
    back: ['safe member-shown .secret', 'safe member-writable .code'],
  },
  medium: {
    before: (a) => a.oneOf().variant('lp', { inches: a.integer() }),
    after: (a) => a.oneOf().variant('lp', { inches: a.decimal() }).variant('cd', { discs: a.integer() }),
    forth: [
      'breaking value-type-changed <lp>.inches',
      'risky response-variant-added <cd>',
      'safe request-rule-loosened <lp>.inches',
      'safe request-variant-added <cd>',
    ],
    back: [
      'breaking request-variant-removed <cd>',
      'breaking value-type-changed <lp>.inches',
      'safe response-rule-tightened <lp>.inches',
      'safe response-variant-removed <cd>',
    ],
  },
  // Only texts
  described: {
    before: (a) => a.string(),
    after: (a) => a.string().describedAs('A text.').example('x'),
    forth: [],
    back: [],
  },
}

/** One service has all of them, so that each is compared in a service with many other changes. */
function serviceWith(side: 'before' | 'after') {
  const declared = Object.entries(cases).flatMap(([name, each]) =>
    each[side] === null ? [] : [[name, each[side]] as const],
  )
  const attributes = (a: never) => Object.fromEntries(declared.map(([name, declare]) => [name, declare(a)]))
  return contractOf(albums({ attributes }))
}

const [before, after] = [serviceWith('before'), serviceWith('after')]
const [forth, back] = [changesFrom(before, after), changesFrom(after, before)]

/** Returns the lines of the changes of an attribute, each with the path below it. */
function linesAt(name: string, changes: typeof forth): readonly string[] {
  const ofAttribute = changes.filter(({ place }) => new RegExp(`^albums\\.${name}(?=$|[.[<])`).test(place))
  return ofAttribute
    .map(({ severity, code, place }) => `${severity} ${code} ${place.slice(`albums.${name}`.length)}`.trim())
    .toSorted()
}

test.each(Object.entries(cases))('%s', (name, expected) => {
  expect({ forth: linesAt(name, forth), back: linesAt(name, back) }).toEqual({
    forth: expected.forth.toSorted(),
    back: expected.back.toSorted(),
  })
})

test('nothing else has changed', () => {
  const others = [...forth, ...back].filter(({ place }) => !place.startsWith('albums.'))
  expect(others).toEqual([])
})

test('sentences name the attribute, what it is now and what it was, and where', () => {
  const sentences = new Map(forth.map(({ code, place, sentence }) => [`${code} ${place}`, sentence]))
  expect(sentences.get('member-removed albums.gone')).toBe("The attribute 'gone' of 'albums' is gone.")
  expect(sentences.get('member-required albums.demanded')).toBe(
    "The attribute 'demanded' of 'albums' is required in requests that create.",
  )
  expect(sentences.get('request-rule-tightened albums.long')).toBe(
    "The attribute 'long' of 'albums' has another rule in requests: at most 100 characters instead of at most 200 characters.",
  )
  expect(sentences.get('response-null-possible albums.nullable')).toBe(
    "The attribute 'nullable' of 'albums' may be null in responses.",
  )
  expect(sentences.get('request-value-removed albums.listed')).toBe(
    "The attribute 'listed' of 'albums' can no longer be 'lp' in requests.",
  )
  expect(sentences.get('value-form-changed albums.reformatted')).toBe(
    "The attribute 'reformatted' of 'albums' is written as HH:mm instead of HH:mm:ss in responses and requests.",
  )
  expect(sentences.get('request-variant-added albums.medium<cd>')).toBe(
    "The variant 'cd' of 'medium' of 'albums' is new in requests.",
  )
  expect(sentences.get('member-read-only albums.once')).toBe(
    "The attribute 'once' of 'albums' can no longer be set in requests that update.",
  )
})

test('breaking changes have a remedy, and others have none', () => {
  for (const { severity, remedy } of [...forth, ...back]) expect(remedy === null).toBe(severity !== 'breaking')
})
