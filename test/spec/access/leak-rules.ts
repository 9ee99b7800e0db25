import * as fc from 'fast-check'
import type { Row, Rows } from './leak-rows.js'
import { linkedRows, noon, type TypeName } from './leak-rows.js'

/** A rule of a policy as the walk generates it: the server gets it from the kit, and `isMet()` defines its meaning. */
export type Rule =
  | { readonly kind: 'everybody' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'own' }
  | { readonly kind: 'open' }
  | { readonly kind: 'upTo'; readonly level: number }
  | { readonly kind: 'levels'; readonly levels: readonly number[] }
  | { readonly kind: 'noLevel' }
  | { readonly kind: 'untilNoon' }
  | { readonly kind: 'loose' }
  | { readonly kind: 'not'; readonly rule: Rule }
  | { readonly kind: 'any' | 'all'; readonly rules: readonly Rule[] }
  | { readonly kind: 'related'; readonly relation: string; readonly rule: Rule | null }

/** The caller; `null` is anonymous. */
export type CallerId = number | null

/**
 * The abilities that are about rows. The last five are custom ones: `reveal` is needed to see the attribute `secret`, `peruse` to
 * read and `alter` to change relations of guarded types, `act` for actions, and `other` for operations that require it.
 */
export const ruleAbilities = [
  'view',
  'create',
  'update',
  'delete',
  'restore',
  'forceDelete',
  'reveal',
  'peruse',
  'alter',
  'act',
  'other',
] as const
export type RuleAbility = (typeof ruleAbilities)[number]

/** The abilities that depend on the caller only: lists, and the action on a collection. */
export type CallerAbility = 'viewAny' | 'gather'

/** An ability, or the operation that reads a resource at its URL. */
export type Ability = RuleAbility | CallerAbility | 'FetchOne'

/** The decision of `before` of a policy: everything for the first caller, or nothing for anonymous ones. */
export type Before = 'permits the first' | 'denies anonymous' | null

/** The abilities that operations require instead of the usual ones. */
export interface Overrides {
  readonly FetchCollection?: 'gather' | false
  readonly FetchOne?: 'other' | false
  readonly Create?: 'other' | false
  /** `true` stands for the usual ability. */
  readonly Update?: 'other' | boolean
  readonly Delete?: 'other' | false
}

/** The rules of a type. */
export interface TypeRules extends Readonly<Record<RuleAbility | CallerAbility, Rule>> {
  /** `null` for the rule of `update`. */
  readonly updated: Rule | null
  /** Whether rules that no caller decides are declared as they are, and not as functions of the context. */
  readonly isPlain: boolean
  /** Whether `update`, `create` and `delete` are functions of the row, if they need no other row. */
  readonly isChecked: boolean
  /** Whether the attribute `secret`, some relations and the links to actions need custom abilities. */
  readonly isGuarded: boolean
  /** Whether everybody may do everything, since the type is declared as public. */
  readonly isPublic: boolean
  /** Whether the application reads the rows by its own provider, which takes no part in transactions. Only notes. */
  readonly isReadElsewhere: boolean
  readonly before: Before
  readonly overrides: Overrides
}

export type Rules = Readonly<Record<TypeName, TypeRules>>

/** The relations that a rule of a type may follow. They have no cycle. */
const relationsOfRules: Readonly<Record<TypeName, readonly string[]>> = {
  editions: [],
  labels: ['edition'],
  artists: ['label'],
  biographies: ['artist'],
  albums: ['artist'],
  tracks: ['album'],
  playlists: ['tracks'],
  notes: ['subject'],
}

/** The same relations from the other side. Rules of `view` do not follow them, because those of the related rows may lead back. */
const inverseRelations: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  labels: ['artists'],
  albums: ['tracks'],
  tracks: ['playlists'],
}

const leaf: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Rule>({ kind: 'own' }) },
  { weight: 4, arbitrary: fc.constant<Rule>({ kind: 'open' }) },
  { weight: 1, arbitrary: fc.constant<Rule>({ kind: 'signedIn' }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((level): Rule => ({ kind: 'upTo', level })) },
  { weight: 1, arbitrary: fc.subarray([1, 2, 3, 4]).map((levels): Rule => ({ kind: 'levels', levels })) },
  { weight: 1, arbitrary: fc.constant<Rule>({ kind: 'noLevel' }) },
  { weight: 2, arbitrary: fc.constant<Rule>({ kind: 'untilNoon' }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Rule>({ kind: 'upTo', level: 2 }, { kind: 'untilNoon' })
      .map((rule): Rule => ({ kind: 'not', rule })),
  },
)

function ruleOf(type: TypeName, inverse: readonly string[] = []): fc.Arbitrary<Rule> {
  const relations = [...relationsOfRules[type], ...inverse]
  const related = fc.record({
    kind: fc.constant('related' as const),
    relation: fc.constantFrom(...(relations.length === 0 ? [''] : relations)),
    // The related rows of `subject` have no common model that a rule could be about.
    rule: type === 'notes' ? fc.constant(null) : fc.option(leaf),
  })
  const simple =
    relations.length === 0
      ? leaf
      : fc.oneof({ weight: 4, arbitrary: leaf }, { weight: inverse.length === 0 ? 1 : 3, arbitrary: related })
  return fc.oneof(
    { weight: 6, arbitrary: simple },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('any' as const, 'any' as const, 'all' as const),
        rules: fc.array(simple, { minLength: 2, maxLength: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.constant<Rule>({ kind: 'everybody' }) },
    { weight: 1, arbitrary: fc.constant<Rule>({ kind: 'nobody' }) },
  )
}

/** Callers must have some access, or there is nothing to leak. */
const mostly = (rule: Rule, other: fc.Arbitrary<Rule>): fc.Arbitrary<Rule> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(rule) },
    { weight: 2, arbitrary: fc.constant<Rule>({ kind: 'signedIn' }) },
    { weight: 3, arbitrary: other },
  )

const ownOrOpen: Rule = { kind: 'any', rules: [{ kind: 'own' }, { kind: 'open' }] }

function rulesOf(type: TypeName): fc.Arbitrary<TypeRules> {
  const any = ruleOf(type)
  const anyOfWrites = ruleOf(type, inverseRelations[type])
  const write = mostly({ kind: 'own' }, anyOfWrites)
  const byCaller = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Rule>({ kind: 'everybody' }) },
    { weight: 1, arbitrary: fc.constantFrom<Rule>({ kind: 'signedIn' }, { kind: 'nobody' }) },
  )
  const declared = fc.record({
    viewAny: byCaller,
    gather: byCaller,
    view: mostly(ownOrOpen, any),
    create: write,
    update: write,
    updated: fc.option(anyOfWrites, { freq: 2 }),
    delete: write,
    restore: write,
    forceDelete: write,
    reveal: write,
    peruse: write,
    alter: write,
    act: write,
    other: write,
    isPlain: fc.boolean(),
    isChecked: oneIn(3),
    isGuarded: fc.boolean(),
    isPublic: fc.constant(false),
    isReadElsewhere: fc.constant(false),
    before: fc.constantFrom<Before>(null, null, null, null, 'permits the first', 'denies anonymous'),
    overrides: fc.oneof({ weight: 4, arbitrary: fc.constant<Overrides>({}) }, { weight: 1, arbitrary: anyOverrides }),
  })
  return fc.oneof({ weight: 14, arbitrary: declared }, { weight: 1, arbitrary: fc.constant(publicRules) })
}

const oneIn = (number: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 1, max: number }).map((drawn) => drawn === number)

const anyOverrides: fc.Arbitrary<Overrides> = fc.record(
  {
    FetchCollection: fc.constantFrom('gather' as const, false as const),
    FetchOne: fc.constantFrom('other' as const, false as const),
    Create: fc.constantFrom('other' as const, false as const),
    Update: fc.constantFrom('other' as const, false as const, true as const),
    Delete: fc.constantFrom('other' as const, false as const),
  },
  { requiredKeys: [] },
)

/** The rules of a type that is open to everybody. */
export const publicRules: TypeRules = {
  ...(Object.fromEntries(
    [...ruleAbilities, 'viewAny', 'gather'].map((ability) => [ability, { kind: 'everybody' }]),
  ) as Readonly<Record<RuleAbility | CallerAbility, Rule>>),
  updated: null,
  isPlain: true,
  isChecked: false,
  isGuarded: false,
  isPublic: true,
  isReadElsewhere: false,
  before: null,
  overrides: {},
}

/** The rules of a type in which everybody may do everything, by its policy. */
export const openRules: TypeRules = { ...publicRules, isPublic: false }

export const anyRules: fc.Arbitrary<Rules> = fc.record({
  editions: rulesOf('editions'),
  labels: rulesOf('labels'),
  artists: rulesOf('artists'),
  biographies: rulesOf('biographies'),
  albums: rulesOf('albums'),
  tracks: rulesOf('tracks'),
  playlists: rulesOf('playlists'),
  notes: rulesOf('notes'),
})

/** Whether only the row decides. */
export function testsRowOnly(rule: Rule): boolean {
  if (rule.kind === 'not') return testsRowOnly(rule.rule)
  return rule.kind === 'any' || rule.kind === 'all' ? rule.rules.every(testsRowOnly) : rule.kind !== 'related'
}

const operationOf: Readonly<Partial<Record<Ability, keyof Overrides>>> = {
  viewAny: 'FetchCollection',
  FetchOne: 'FetchOne',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
}

const everybody: Rule = { kind: 'everybody' }

/** The required ability, which may replace the usual one; `null` if there is none. */
function requiredOf({ overrides }: TypeRules, ability: Ability): RuleAbility | CallerAbility | null {
  const operation = operationOf[ability]
  const override = operation === undefined ? undefined : overrides[operation]
  if (override !== undefined && override !== true) return override === false ? null : override
  return ability === 'FetchOne' ? 'view' : ability
}

function ruleOfAbility(rules: TypeRules, ability: Ability): Rule {
  const required = requiredOf(rules, ability)
  return required === null ? everybody : rules[required]
}

/** The decision without the rule of an ability; `null` if the rule decides. */
function decidedBefore(rules: TypeRules, ability: Ability, caller: CallerId): boolean | null {
  const { before } = rules
  if (requiredOf(rules, ability) === null) return true
  if (before === 'permits the first') return caller === 1 ? true : null
  return before === 'denies anonymous' && caller === null ? false : null
}

/** Whether a caller has an ability for no row, as the policy decides without a row. */
export function isDeniedAlways(rules: TypeRules, ability: Ability, caller: CallerId): boolean {
  const decided = decidedBefore(rules, ability, caller)
  if (decided !== null) return !decided
  const rule = ruleOfAbility(rules, ability)
  if (ability === 'viewAny' || ability === 'gather') return !isMetWithoutRow(rule, caller)
  if (rules.isChecked && testsRowOnly(rule) && requiredOf(rules, ability) !== 'view') return false
  return rule.kind === 'nobody' || (caller === null && (rule.kind === 'own' || rule.kind === 'signedIn'))
}

export function isMetWithoutRow({ kind }: Rule, caller: CallerId): boolean {
  return kind === 'everybody' || (kind === 'signedIn' && caller !== null)
}

/** A row that a rule is tested with. */
export interface Question {
  readonly type: TypeName
  readonly row: Row
  readonly caller: CallerId
  /** `null` if the rule follows no relation. */
  readonly rules: Rules | null
  readonly rows: Rows | null
}

/** The meaning of the rules, computed without the package. */
export function isMet(rule: Rule, question: Question): boolean {
  const { row, caller, type, rules, rows } = question
  const level = row.level ?? null
  switch (rule.kind) {
    case 'everybody':
      return true
    case 'nobody':
      return false
    case 'signedIn':
      return caller !== null
    case 'own':
      return caller !== null && row.owner === caller
    case 'open':
      return row.open
    case 'upTo':
      return level !== null && level <= rule.level
    case 'levels':
      return level !== null && rule.levels.includes(level)
    case 'noLevel':
      return level === null
    case 'untilNoon':
      return row.since !== null && row.since !== undefined && row.since <= noon
    case 'loose':
      return row.subjectId === null || row.subjectId === undefined
    case 'not':
      return !isMet(rule.rule, question)
    case 'any':
      return rule.rules.some((each) => isMet(each, question))
    case 'all':
      return rule.rules.every((each) => isMet(each, question))
    case 'related': {
      if (rows === null || rules === null) return false
      return linkedRows(rows, type, row, rule.relation).some((linked) => {
        const other = { ...question, type: linked.type, row: linked.row }
        return isVisible(other) && isAlive(linked.row) && (rule.rule === null || isMet(rule.rule, other))
      })
    }
  }
}

export function isVisible(question: Question): boolean {
  return holds('view', question)
}

/** Whether the caller has an ability for the row. */
export function holds(ability: RuleAbility | 'FetchOne', question: Question): boolean {
  const { rules, type, caller } = question
  if (rules === null) return true
  return decidedBefore(rules[type], ability, caller) ?? isMet(ruleOfAbility(rules[type], ability), question)
}

/** Whether the row may be as it is after an update. */
export function mayStay(question: Question): boolean {
  const { rules, type, caller } = question
  if (rules === null) return true
  const { updated, isChecked } = rules[type]
  const rule = updated ?? ruleOfAbility(rules[type], 'update')
  // A function decides about the row before the change only.
  if (updated === null && isChecked && testsRowOnly(rule)) return true
  return decidedBefore(rules[type], updated === null ? 'update' : 'view', caller) ?? isMet(rule, question)
}

function isAlive({ deletedAt }: Row): boolean {
  return deletedAt === null || deletedAt === undefined
}
