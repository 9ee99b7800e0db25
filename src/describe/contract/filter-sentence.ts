import { deprecationNotes } from './deprecated-members.js'
import { filterTarget } from '../../serve/read/query/condition-of-filter.js'
import type { QueriedRows } from '../../serve/read/query/query-vocabulary.js'
import type { FilterOperator, FilterSpec, FilterTest } from '../../declare/resource/filters/filter-spec.js'

/** Describes what a filter finds: by the text of the declaration, or a sentence made from its test; then how it is sent. */
export function filterSentence(key: string, spec: FilterSpec, rows: QueriedRows): string {
  const { description, shape, fixed, default: usual, deprecation } = spec
  return [
    description ?? `${clauseOf(key, spec, rows)}.`,
    ...deprecationNotes(deprecation),
    ...(shape === 'presence' ? ['The value is ignored.'] : []),
    ...(usual === null || fixed !== null ? [] : [`Default: ${textOf(usual.value)}.`]),
  ].join(' ')
}

function textOf(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

const comparisons: Readonly<Record<FilterOperator, string>> = Object.freeze({
  '=': 'equals the value',
  '===': 'equals the value',
  '!=': 'differs from the value',
  '>': 'is more than the value',
  '>=': 'is at least the value',
  '<': 'is less than the value',
  '<=': 'is at most the value',
  like: 'contains the value, in letters of either case',
  starts: 'starts with the value, in letters of either case',
  ends: 'ends with the value, in letters of either case',
})

/** Returns the condition of a filter, without a full stop. */
function clauseOf(key: string, spec: FilterSpec, rows: QueriedRows): string {
  const { test } = spec
  const name = nameOf(key, spec, rows)
  if (spec.fixed !== null && test.kind !== 'has') return `A fixed condition on ${name}`
  switch (test.kind) {
    case 'compare':
    case 'through':
      return `${name} ${comparisons[test.operator]}`
    case 'range':
      return `${name} lies between the bounds. A bound that is left out is open`
    case 'in':
      return `${name} is ${test.negated ? 'none' : 'one'} of the values`
    case 'idIn':
      return `The id is ${test.negated ? 'none' : 'one'} of the values`
    case 'null':
      return `${name} is ${test.negated ? 'not ' : ''}null`
    case 'has':
      return hasClause(test.relation ?? key, test)
    case 'all':
    case 'any':
      return groupClause(test, rows)
    case 'search':
      return `${test.fields.map(({ name: field }) => `\`${field}\``).join(' or ')} has the words of the value. "Quotation marks" enclose a phrase, a minus excludes a term, and an asterisk ends the beginning of a word`
    case 'trashed':
      return test.only ? 'Shows deleted resources only' : 'Shows deleted resources, too'
    default:
      return 'A condition of the application'
  }
}

function hasClause(relation: string, { negated, matching }: Extract<FilterTest, { kind: 'has' }>): string {
  const which = matching === null ? '' : ' that meet a condition of the application'
  return `There are ${negated ? 'no ' : ''}\`${relation}\`${which}`
}

function groupClause({ kind, filters }: Extract<FilterTest, { kind: 'all' | 'any' }>, rows: QueriedRows): string {
  const clauses = Object.entries(filters).map(([key, spec]) => clauseOf(key, spec, rows))
  return clauses.join(kind === 'all' ? ', and ' : ', or ')
}

/** Returns the name of the target for clients: its attribute, or else the key of the filter. Columns are not named. */
function nameOf(key: string, spec: FilterSpec, rows: QueriedRows): string {
  const { test } = spec
  if (test.kind === 'through') return `\`${test.path ?? key}\``
  const attribute = filterTarget({ key, spec }, rows)?.attribute ?? null
  const fields = [
    ...rows.served.type.attributes.map(({ name, spec: field }) => [name, field] as const),
    ...Object.entries(rows.relation?.spec.pivot ?? {}),
  ]
  return `\`${fields.find(([, field]) => field === attribute)?.[0] ?? key}\``
}
