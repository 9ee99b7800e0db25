import type { Policy, RowRule, RuleKit } from 'ashlar'
import { noon, type Row } from './leak-rows.js'
import {
  type Before,
  type CallerId,
  testsRowOnly,
  isMet,
  isMetWithoutRow,
  type Rule,
  type TypeRules,
} from './leak-rules.js'

/** The rules of the walk as an application declares them. */

/** Whether the rule depends on the caller. */
function isPersonal(rule: Rule): boolean {
  if (rule.kind === 'not') return isPersonal(rule.rule)
  if (rule.kind === 'any' || rule.kind === 'all') return rule.rules.some(isPersonal)
  if (rule.kind === 'related') return rule.rule !== null && isPersonal(rule.rule)
  return rule.kind === 'own' || rule.kind === 'signedIn'
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
    case 'untilNoon':
      return p.range('since', { max: noon })
    case 'loose':
      return p.isNull('subjectId')
    case 'not':
      return p.not(inKit(rule.rule, p, caller))
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
export function policyOf(rules: TypeRules): 'public' | ((p: RuleKit<never, never>) => Policy) {
  if (rules.isPublic) return 'public'
  return (kit) => {
    const p = kit as unknown as RuleKit<Row>
    const plain = (rule: Rule): boolean => rules.isPlain && !isPersonal(rule)
    const decision = (rule: Rule) =>
      plain(rule) ? inKit(rule, p, null) : (context: CallerContext) => inKit(rule, p, callerIn(context))
    const write = (rule: Rule) =>
      rules.isChecked && testsRowOnly(rule)
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
    const byCaller = (rule: Rule) =>
      plain(rule) ? rule.kind === 'everybody' : (context: CallerContext) => isMetWithoutRow(rule, callerIn(context))
    const { view, create, update, updated, reveal, peruse, alter, act, other, gather } = rules
    return {
      ...(rules.before === null ? {} : { before: beforeOf(rules.before) }),
      viewAny: byCaller(rules.viewAny),
      view: decision(view),
      create: write(create),
      update: write(update),
      ...(updated === null ? {} : { updated: decision(updated) }),
      delete: write(rules.delete),
      restore: write(rules.restore),
      forceDelete: write(rules.forceDelete),
      custom: {
        reveal: write(reveal),
        peruse: write(peruse),
        alter: write(alter),
        act: write(act),
        other: write(other),
        gather: byCaller(gather),
      },
    }
  }
}

const beforeOf =
  (before: NonNullable<Before>) =>
  (context: CallerContext): boolean | null => {
    if (before === 'permits the first') return callerIn(context) === 1 ? true : null
    return callerIn(context) === null ? false : null
  }
