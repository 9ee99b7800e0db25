import type { Policy, RowRule, RuleKit } from 'ashlar'
import * as fc from 'fast-check'
import type { Row, Rows } from './leak-rows.js'
import { linkedRows, type TypeName } from './leak-rows.js'

/** A rule of a policy as the walk makes it up: the server gets it from the kit, and `isMet()` is what it has to mean. */
export type Rule =
  | { readonly kind: 'everybody' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'own' }
  | { readonly kind: 'open' }
  | { readonly kind: 'upTo'; readonly level: number }
  | { readonly kind: 'levels'; readonly levels: readonly number[] }
  | { readonly kind: 'noLevel' }
  | { readonly kind: 'any' | 'all'; readonly rules: readonly Rule[] }
  | { readonly kind: 'related'; readonly relation: string; readonly rule: Rule | null }

/** Who calls; `null` is anonymous. */
export type CallerId = number | null

export const ruleAbilities = ['view', 'create', 'update', 'delete', 'restore', 'forceDelete'] as const
export type RuleAbility = (typeof ruleAbilities)[number]

/** The rules of a type. */
export interface TypeRules extends Readonly<Record<RuleAbility, Rule>> {
  /** Without rows. */
  readonly viewAny: Rule
  /** `null` for the rule of `update`. */
  readonly updated: Rule | null
  /** Whether rules that no caller decides are declared as they are, and not as functions of the context. */
  readonly isPlain: boolean
  /** Whether `update`, `create` and `delete` are functions of the row, if they need no other row. */
  readonly isChecked: boolean
}

export type Rules = Readonly<Record<TypeName, TypeRules>>

/** The relations that a rule of a type may lead over. They make no circle. */
const relationsOfRules: Readonly<Record<TypeName, readonly string[]>> = {
  labels: [],
  artists: ['label'],
  biographies: ['artist'],
  albums: ['artist'],
  tracks: ['album'],
  playlists: ['tracks'],
  notes: ['subject'],
}

const leaf: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Rule>({ kind: 'own' }) },
  { weight: 4, arbitrary: fc.constant<Rule>({ kind: 'open' }) },
  { weight: 1, arbitrary: fc.constant<Rule>({ kind: 'signedIn' }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((level): Rule => ({ kind: 'upTo', level })) },
  { weight: 1, arbitrary: fc.subarray([1, 2, 3, 4]).map((levels): Rule => ({ kind: 'levels', levels })) },
  { weight: 1, arbitrary: fc.constant<Rule>({ kind: 'noLevel' }) },
)

function ruleOf(type: TypeName): fc.Arbitrary<Rule> {
  const relations = relationsOfRules[type]
  const related = fc.record({
    kind: fc.constant('related' as const),
    relation: fc.constantFrom(...(relations.length === 0 ? [''] : relations)),
    // The related rows of `subject` have no common model that a rule could be about.
    rule: type === 'notes' ? fc.constant(null) : fc.option(leaf),
  })
  const simple =
    relations.length === 0 ? leaf : fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: related })
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

/** Callers have to get somewhere, or there is nothing to leak. */
const mostly = (rule: Rule, other: fc.Arbitrary<Rule>): fc.Arbitrary<Rule> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(rule) },
    { weight: 2, arbitrary: fc.constant<Rule>({ kind: 'signedIn' }) },
    { weight: 3, arbitrary: other },
  )

const ownOrOpen: Rule = { kind: 'any', rules: [{ kind: 'own' }, { kind: 'open' }] }

function rulesOf(type: TypeName): fc.Arbitrary<TypeRules> {
  const any = ruleOf(type)
  const write = mostly({ kind: 'own' }, any)
  return fc.record({
    viewAny: fc.oneof(
      { weight: 6, arbitrary: fc.constant<Rule>({ kind: 'everybody' }) },
      { weight: 1, arbitrary: fc.constantFrom<Rule>({ kind: 'signedIn' }, { kind: 'nobody' }) },
    ),
    view: mostly(ownOrOpen, any),
    create: write,
    update: write,
    updated: fc.option(any, { freq: 2 }),
    delete: write,
    restore: write,
    forceDelete: write,
    isPlain: fc.boolean(),
    isChecked: fc.integer({ min: 0, max: 2 }).map((number) => number === 0),
  })
}

export const anyRules: fc.Arbitrary<Rules> = fc.record({
  labels: rulesOf('labels'),
  artists: rulesOf('artists'),
  biographies: rulesOf('biographies'),
  albums: rulesOf('albums'),
  tracks: rulesOf('tracks'),
  playlists: rulesOf('playlists'),
  notes: rulesOf('notes'),
})

/** Whether the rule depends on the caller. */
function isPersonal(rule: Rule): boolean {
  if (rule.kind === 'any' || rule.kind === 'all') return rule.rules.some(isPersonal)
  if (rule.kind === 'related') return rule.rule !== null && isPersonal(rule.rule)
  return rule.kind === 'own' || rule.kind === 'signedIn'
}

/** Whether the row alone decides. */
function isAboutRow(rule: Rule): boolean {
  return rule.kind === 'any' || rule.kind === 'all' ? rule.rules.every(isAboutRow) : rule.kind !== 'related'
}

function inKit(rule: Rule, p: RuleKit<Row>, caller: CallerId): boolean | RowRule {
  switch (rule.kind) {
    case 'everybody':
      return true
    case 'nobody':
      return false
    case 'signedIn':
      return caller !== null
    case 'own':
      return caller !== null && p.eq('owner', caller)
    case 'open':
      return p.eq('open', true)
    case 'upTo':
      return p.range('level', { max: rule.level })
    case 'levels':
      return p.in('level', rule.levels)
    case 'noLevel':
      return p.isNull('level')
    case 'any':
      return p.any(...rule.rules.map((each) => inKit(each, p, caller)))
    case 'all':
      return p.all(...rule.rules.map((each) => inKit(each, p, caller)))
    case 'related': {
      const { relation, rule: ofRelated } = rule
      if (ofRelated === null) return p.related(relation)
      return p.related(relation, (q) => q.all(inKit(ofRelated, q as unknown as RuleKit<Row>, caller)))
    }
  }
}

interface CallerContext {
  readonly caller: unknown
}

const callerIn = ({ caller }: CallerContext): CallerId => (caller as { readonly id: number } | null)?.id ?? null

/** The policy of a type, as an application would write it. */
export function policyOf(rules: TypeRules): (p: RuleKit<never, never>) => Policy {
  return (kit) => {
    const p = kit as unknown as RuleKit<Row>
    const plain = (rule: Rule): boolean => rules.isPlain && !isPersonal(rule)
    const decision = (rule: Rule) =>
      plain(rule) ? inKit(rule, p, null) : (context: CallerContext) => inKit(rule, p, callerIn(context))
    const write = (rule: Rule) =>
      rules.isChecked && isAboutRow(rule)
        ? p.check(({ row, incoming }, context) => {
            const sent = incoming?.attributes as Partial<Row> | undefined
            return isMet(rule, {
              type: 'labels',
              row: row ?? (sent as Row),
              caller: callerIn(context),
              rules: null,
              rows: null,
            })
          })
        : decision(rule)
    const { viewAny, view, create, update, updated } = rules
    return {
      viewAny: plain(viewAny) ? viewAny.kind === 'everybody' : (context) => isMetWithoutRow(viewAny, callerIn(context)),
      view: decision(view),
      create: write(create),
      update: write(update),
      ...(updated === null ? {} : { updated: decision(updated) }),
      delete: write(rules.delete),
      restore: write(rules.restore),
      forceDelete: write(rules.forceDelete),
    }
  }
}

/** Whether a caller has an ability for no row at all, as the policy says without a row. */
export function isDeniedAlways(rules: TypeRules, ability: RuleAbility | 'viewAny', caller: CallerId): boolean {
  const rule = rules[ability]
  if (ability === 'viewAny') return !isMetWithoutRow(rule, caller)
  if (rules.isChecked && isAboutRow(rule) && ability !== 'view') return false
  return rule.kind === 'nobody' || (caller === null && (rule.kind === 'own' || rule.kind === 'signedIn'))
}

function isMetWithoutRow({ kind }: Rule, caller: CallerId): boolean {
  return kind === 'everybody' || (kind === 'signedIn' && caller !== null)
}

/** A row that a rule is held against. */
export interface Question {
  readonly type: TypeName
  readonly row: Row
  readonly caller: CallerId
  /** `null` if the rule leads to no other rows. */
  readonly rules: Rules | null
  readonly rows: Rows | null
}

/** What the rules have to mean, worked out without the package. */
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
  return question.rules === null || isMet(question.rules[question.type].view, question)
}

function isAlive({ deletedAt }: Row): boolean {
  return deletedAt === null || deletedAt === undefined
}
