import { type AttributeKit, rule } from 'ashlar'
import * as fc from 'fast-check'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'

/** The kit as JavaScript users see it: every modifier on every kind. */
export type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

/** A field with random rules: its declaration, the values that clients may send, and the invalid positions of a value. */
export interface Field {
  readonly declare: (a: Kit, path: string) => AttributeDeclaration
  readonly value: fc.Arbitrary<unknown>
  readonly required: boolean
  readonly nullable: boolean
  /** Pointers below the value to the errors of one that is present and not null. */
  readonly faults: (value: unknown) => readonly string[]
  /** The group inside a value that is merged into the stored one. */
  readonly inside: (value: Members) => Group | null
  /** Whether the stored value can be another object, with other members. */
  readonly isUnion: boolean
  /** Whether the members are columns, which exist whether or not they have values. */
  readonly isMap: boolean
}

export type Members = Readonly<Record<string, unknown>>

export interface Group {
  readonly fields: Readonly<Record<string, Field>>
  /** The one must not be greater than the other, both of them whole numbers. */
  readonly ordered: readonly (readonly [one: string, other: string])[]
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that a client may send for a group: any of its members, valid or invalid. */
export function valuesOf({ fields }: Group): fc.Arbitrary<Members> {
  const values = Object.entries(fields).map(([name, { value, nullable }]) => {
    return [
      name,
      nullable ? fc.option(value, { freq: 4 }) : fc.oneof({ weight: 12, arbitrary: value }, noValue),
    ] as const
  })
  return fc.record(Object.fromEntries(values), { requiredKeys: [], noNullPrototype: true })
}

/** The oracle: every invalid position of a new group of members. */
export function invalidPointers({ fields, ordered }: Group, members: Members): readonly string[] {
  const own = Object.entries(fields).flatMap(([name, field]) => {
    const value = members[name]
    if (value === undefined) return field.required ? [`/${name}`] : []
    if (value === null) return field.nullable ? [] : [`/${name}`]
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
    const faults = field.faults(value)
    return (field.required && isEmpty && faults.length === 0 ? [''] : faults).map((place) => `/${name}${place}`)
  })
  const disordered = ordered
    .filter(([one, other]) => {
      const [low, high] = [members[one], members[other]]
      return typeof low === 'number' && typeof high === 'number' && low > high
    })
    .map(([one]) => `/${one}`)
  return [...own, ...disordered]
}

const noValue = { weight: 1, arbitrary: fc.constant(null) }
const anything = fc.constantFrom<unknown>(0, -1.5, true, '', 'x', [], ['a', 1], {}, { type: 'x' }, 2 ** 60)

/** Mostly values that fit, now and then any other. */
const mostly = (fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: anything })

const plain = { required: false, nullable: false, inside: () => null, isUnion: false, isMap: false }

/** A rule of the catalogue, and its oracle. */
interface Rule<Value> {
  readonly applyTo: (field: AttributeDeclaration) => AttributeDeclaration
  readonly holds: (value: Value) => boolean
}

const small = fc.integer({ min: 0, max: 4 })
/** Characters are code points. */
const characters = (text: string): number => Array.from(text).length

const textRules: readonly fc.Arbitrary<Rule<string>>[] = [
  small.map((n) => ({ applyTo: (field) => field.minLength(n), holds: (text) => characters(text) >= n })),
  small.map((n) => ({ applyTo: (field) => field.maxLength(n + 4), holds: (text) => characters(text) <= n + 4 })),
  fc.constantFrom('a', 'b').map((letter) => ({
    applyTo: (field) => field.pattern(new RegExp(`^${letter}`)),
    holds: (text) => text.startsWith(letter),
  })),
  fc.constant({ applyTo: (field) => field.notIn(['ab', 'x']), holds: (text) => text !== 'ab' && text !== 'x' }),
  fc.constant({
    applyTo: (field) => field.atLeastOneOf(rule.maxLength(2), rule.pattern(/z$/)),
    holds: (text) => characters(text) <= 2 || text.endsWith('z'),
  }),
  fc.constant({
    applyTo: (field) =>
      field.when(
        (value) => String(value).startsWith('a'),
        (inner) => inner.minLength(2),
      ),
    holds: (text) => !text.startsWith('a') || characters(text) >= 2,
  }),
]

const numberRules: readonly fc.Arbitrary<Rule<number>>[] = [
  small.map((n) => ({ applyTo: (field) => field.min(n - 2), holds: (value) => value >= n - 2 })),
  small.map((n) => ({ applyTo: (field) => field.exclusiveMax(n + 3), holds: (value) => value < n + 3 })),
  fc.constantFrom(2, 3).map((n) => ({ applyTo: (field) => field.multipleOf(n), holds: (value) => value % n === 0 })),
  fc.constant({ applyTo: (field) => field.in([0, 2, 3, 6, -4]), holds: (value) => [0, 2, 3, 6, -4].includes(value) }),
  fc.constant({
    applyTo: (field) => field.constrain(rule.custom('odd', (value) => (value === 3 ? 'Not three.' : null))),
    holds: (value) => value !== 3,
  }),
]

const dayRules: readonly fc.Arbitrary<Rule<string>>[] = [
  fc.constant({ applyTo: (field) => field.after('2000-01-31'), holds: (day) => day > '2000-01-31' }),
  fc.constant({ applyTo: (field) => field.before(() => '2001-01-01'), holds: (day) => day < '2001-01-01' }),
  fc.constant({
    applyTo: (field) => field.between('1999-12-31', new Date('2000-12-31')),
    holds: (day) => day >= '1999-12-31' && day <= '2000-12-31',
  }),
]

/** A field of one value: wrong as a whole, or right. */
function scalar<Value>(
  kind: (a: Kit) => AttributeDeclaration,
  value: fc.Arbitrary<unknown>,
  fits: (value: unknown) => value is Value,
  rules: readonly fc.Arbitrary<Rule<Value>>[],
): fc.Arbitrary<Field> {
  const chosen = fc.tuple(...rules.map((each) => fc.option(each, { freq: 3 })))
  return chosen.map((all) => {
    const constraints = all.filter((each) => each !== null)
    return {
      ...plain,
      declare: (a) => constraints.reduce((field, { applyTo }) => applyTo(field), kind(a)),
      value: mostly(value),
      faults: (sent) => (fits(sent) && constraints.every(({ holds }) => holds(sent)) ? [] : ['']),
    }
  })
}

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'z', '😀'), maxLength: 8 }),
  fc.constantFrom('ab', 'x', '\ud800', 'a\u0000', '\udc00b'),
)

function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    !value.includes('\u0000') &&
    !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value)
  )
}

const days = fc
  .tuple(fc.constantFrom(1999, 2000, 2001), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-'))

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(value: unknown): value is string {
  const parts = typeof value === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null
  if (parts === null) return false
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number)
  const leap = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0) ? 1 : 0
  return day >= 1 && day <= (monthDays[month - 1] ?? 0) + leap
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isTruth = (value: unknown): value is boolean => typeof value === 'boolean'

const whole = fc.integer({ min: -6, max: 8 })

const scalars: readonly fc.Arbitrary<Field>[] = [
  scalar((a) => a.string(), texts, isText, textRules),
  scalar((a) => a.integer(), whole, isWhole, numberRules),
  scalar((a) => a.decimal(), fc.oneof(whole, fc.constantFrom(0.5, -2.25)), isNumber, numberRules),
  scalar((a) => a.date(), days, isDay, dayRules),
  scalar((a) => a.boolean(), fc.boolean(), isTruth, []),
]

interface ListRules {
  readonly least: number
  readonly most: number
  readonly isSet: boolean
  readonly shortest: number
}

/** The items of the wrong type are reported first, then that there are too many, then everything else. */
function listFaults({ least, most, isSet, shortest }: ListRules, value: unknown): readonly string[] {
  if (!Array.isArray(value)) return ['']
  const places = (isWrong: (item: unknown) => boolean): readonly string[] =>
    value.flatMap((item, index) => (isWrong(item) ? [`/${index}`] : []))
  const unkept = places((item) => typeof item === 'string' && !isText(item))
  if (unkept.length > 0) return unkept
  const unfit = places((item) => typeof item !== 'string')
  if (unfit.length > 0) return unfit
  if (value.length > most) return ['']
  const isWrong = value.length < least || (isSet && new Set(value).size < value.length)
  return [...(isWrong ? [''] : []), ...places((item) => characters(String(item)) < shortest)]
}

const list: fc.Arbitrary<Field> = fc
  .record({
    least: fc.integer({ min: 0, max: 2 }),
    most: fc.integer({ min: 2, max: 4 }),
    isSet: fc.boolean(),
    shortest: fc.integer({ min: 0, max: 2 }),
  })
  .map((rules) => ({
    ...plain,
    declare: (a) => {
      const { least, most, isSet, shortest } = rules
      const declared = a.arrayList().minItems(least).maxItems(most).each(rule.minLength(shortest))
      return isSet ? declared.uniqueItems() : declared
    },
    value: mostly(
      fc.array(fc.oneof({ weight: 12, arbitrary: texts }, { weight: 1, arbitrary: fc.constant(5) }), { maxLength: 5 }),
    ),
    faults: (value) => listFaults(rules, value),
  }))

function composite(kind: 'object' | 'map', group: Group): Field {
  return {
    ...plain,
    declare: (a, path) => a[kind]().fields(declarations(group, a, { path, own: kind === 'object' })),
    value: mostly(valuesOf(group)),
    faults: (value) => (isMembers(value) ? invalidPointers(group, value) : ['']),
    inside: () => group,
    isMap: kind === 'map',
  }
}

function union(variants: Readonly<Record<string, Group>>): Field {
  const groupOf = ({ type }: Members): Group | null =>
    typeof type === 'string' && Object.hasOwn(variants, type) ? (variants[type] ?? null) : null
  const values = Object.entries(variants).map(([type, group]) =>
    valuesOf(group).map((members): Members => ({ type, ...members })),
  )
  return {
    ...plain,
    declare: (a, path) =>
      Object.entries(variants).reduce(
        (field, [name, group]) => field.variant(name, declarations(group, a, { path: `${path}_${name}`, own: true })),
        a.oneOf(),
      ),
    value: mostly(fc.oneof(...values)),
    faults: (value) => {
      if (!isMembers(value)) return ['']
      const group = groupOf(value)
      return group === null ? ['/type'] : invalidPointers(group, value)
    },
    inside: groupOf,
    isUnion: true,
  }
}

interface Place {
  readonly path: string
  /** Whether the members have their own value, and are not columns of an owner. */
  readonly own: boolean
}

/** Columns of a map are called after their path, so that no two fields share one. */
function declarations({ fields, ordered }: Group, a: Kit, { path, own }: Place): Record<string, AttributeDeclaration> {
  const declared = Object.entries(fields).map(([name, field]) => {
    const inner = `${path}_${name}`
    const kind = field.declare(a, inner)
    const compared = ordered.reduce((each, [one, other]) => (one === name ? each.compareWith(other, '<=') : each), kind)
    const present = field.required ? compared.required() : compared
    const nullable = field.nullable ? present.nullable() : present
    return [name, own ? nullable : nullable.storedAs(inner)] as const
  })
  return Object.fromEntries(declared)
}

/** The attributes of a type. */
export function attributesOf(group: Group): (a: unknown) => Record<string, never> {
  return (a) => declarations(group, a as Kit, { path: 'column', own: true }) as Record<string, never>
}

/** One of the fields may be compared with another; both are whole numbers then, of a kind that everything fits. */
const pair: fc.Arbitrary<readonly [Field, Field]> = fc.tuple(fc.boolean(), fc.boolean()).map(([first, second]) => {
  const number: Field = { ...plain, declare: (a) => a.integer(), value: whole, faults: () => [] }
  return [
    { ...number, nullable: first },
    { ...number, nullable: second },
  ]
})

/**
 * Groups of fields, composites of groups inside them.
 *
 * @param requiredColumns whether a map may have required children: like attributes, they need not be there on update
 */
export function groups(requiredColumns: boolean): fc.Arbitrary<Group> {
  return fc.letrec<{ readonly group: Group; readonly field: Field }>((tie) => ({
    field: fc
      .tuple(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          ...scalars.map((arbitrary) => ({ weight: 2, arbitrary })),
          { weight: 2, arbitrary: list },
          { weight: 3, arbitrary: tie('group').map((inner) => composite('object', inner)) },
          {
            weight: 3,
            arbitrary: tie('group').map((inner) => composite('map', requiredColumns ? inner : freed(inner))),
          },
          { weight: 2, arbitrary: fc.record({ one: tie('group'), two: tie('group') }).map(union) },
        ),
        fc.boolean(),
        fc.boolean(),
      )
      .map(([field, required, nullable]) => ({ ...field, required, nullable })),
    group: fc
      .tuple(fc.array(tie('field'), { minLength: 1, maxLength: 3 }), fc.option(pair))
      .map(([some, compared]): Group => {
        const named = some.map((field, index) => [`field${index}`, field] as const)
        const both = compared === null ? [] : [['low', compared[0]] as const, ['high', compared[1]] as const]
        return { fields: Object.fromEntries([...named, ...both]), ordered: compared === null ? [] : [['low', 'high']] }
      }),
  })).group
}

function freed({ fields, ordered }: Group): Group {
  const free = Object.entries(fields).map(([name, field]) => [name, { ...field, required: false }] as const)
  return { fields: Object.fromEntries(free), ordered }
}
