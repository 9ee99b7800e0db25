import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'

/**
 * Returns a condition as readable text: `public = true or ownerId = 2`. Its values come from the declarations and the
 * caller, never from rows.
 */
export function describeCondition(condition: RowCondition): string {
  switch (condition.kind) {
    case 'compare':
      return `${condition.column.name} ${condition.operator} ${valueText(condition.value)}`
    case 'range':
      return rangeText(condition)
    case 'in':
      return `${condition.column.name} ${condition.negated ? 'not in' : 'in'} (${listText(condition.values)})`
    case 'null':
      return `${condition.column.name} is ${condition.negated ? 'not null' : 'null'}`
    case 'related':
      return relatedText(condition)
    case 'all':
    case 'any':
      return groupText(condition.kind, condition.conditions)
    case 'search':
      return `words in ${condition.columns.map(({ column }) => column.name).join(', ')}`
    case 'not':
      return `not (${describeCondition(condition.condition)})`
    case 'custom':
      return 'a condition in the language of the store'
    case 'scope':
      return `visible rows of '${condition.type}'`
  }
}

type OfKind<Kind extends RowCondition['kind']> = Extract<RowCondition, { readonly kind: Kind }>

function rangeText({ column, min, max }: OfKind<'range'>): string {
  const bounds = [
    ...(min === null ? [] : [`${column.name} >= ${valueText(min)}`]),
    ...(max === null ? [] : [`${column.name} <= ${valueText(max)}`]),
  ]
  return bounds.join(' and ')
}

function relatedText({ relation, condition, negated }: OfKind<'related'>): string {
  const inner = condition === null ? '' : ` with ${grouped(condition)}`
  return `${negated ? 'no' : 'a'} visible '${relation.name}'${inner}`
}

/** Returns a group as text. Conditions that match every row, or none, are left out if others decide. */
function groupText(kind: 'all' | 'any', conditions: readonly RowCondition[]): string {
  const neutral = kind === 'all' ? isEmpty('all') : isEmpty('any')
  const deciding = conditions.filter((condition) => !neutral(condition))
  const [only, ...others] = deciding
  if (only === undefined) return kind === 'all' ? 'every row' : 'no row'
  if (others.length === 0) return describeCondition(only)
  return deciding.map(grouped).join(kind === 'all' ? ' and ' : ' or ')
}

function isEmpty(kind: 'all' | 'any'): (condition: RowCondition) => boolean {
  return (condition) => condition.kind === kind && condition.conditions.length === 0
}

/** Returns a condition as text, with parentheses if it is a group. */
function grouped(condition: RowCondition): string {
  const text = describeCondition(condition)
  const isGroup = (condition.kind === 'all' || condition.kind === 'any') && / (?:and|or) /.test(text)
  return isGroup ? `(${text})` : text
}

const [longestList, longestText] = [5, 60]

function listText(values: readonly unknown[]): string {
  const shown = values.slice(0, longestList).map(valueText)
  return [...shown, ...(values.length > shown.length ? [`${values.length - shown.length} more`] : [])].join(', ')
}

function valueText(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
