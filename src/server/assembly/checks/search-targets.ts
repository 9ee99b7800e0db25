import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { FilterSpec, FilterTest } from '../../../declare/resource/filters/filter-spec.js'
import type { BuildContext } from '../declared/build-rule.js'
import { describeValue, oneOf } from '../declared/describe-value.js'
import type { DeclaredQuery } from './declared-queries.js'
import type { Finding } from './query-targets.js'
import { targetFindings } from './query-targets.js'

/** The largest weight of a text. */
const MAX_WEIGHT = 1000

/** The most texts that one filter searches. */
const MAX_TEXTS = 16

/** Checks that a search looks in texts of the row itself, and that the store can search. */
export function searchFindings(
  { fields }: Extract<FilterTest, { kind: 'search' }>,
  query: DeclaredQuery<FilterSpec>,
  context: BuildContext,
): readonly Finding[] {
  const { over } = query
  if (fields.length === 0 || fields.length > MAX_TEXTS) {
    const remedy = `name 1 to ${MAX_TEXTS} attributes, as in f.search('title', 'notes')`
    return [{ problem: `searches ${fields.length} texts`, remedy }]
  }
  const repeated = fields.find(({ name }, index) => fields.findIndex((each) => each.name === name) !== index)
  const provider = over?.provider ?? null
  return [
    ...fields.flatMap(({ name, weight }) => [
      ...targetFindings(name, { ...query, context, refuseKind: refuseOther }),
      ...foreignFindings(name, query),
      ...weightFindings(name, weight),
    ]),
    ...(repeated === undefined
      ? []
      : [{ problem: `searches ${describeValue(repeated.name)} twice`, remedy: 'name each text once' }]),
    ...(provider === null || provider.acceptsSearch === true
      ? []
      : [
          {
            problem: `searches rows of ${describeValue(over?.type.type)}, whose provider does not have acceptsSearch`,
            remedy: 'remove the filter, or set acceptsSearch on the provider, which must then apply search conditions',
          },
        ]),
  ]
}

function refuseOther({ name, comparedAs }: ValueKind): Finding | null {
  if (comparedAs === 'text') return null
  return {
    problem: `searches the words of values of the kind ${describeValue(name)}`,
    remedy: 'name attributes with texts only',
  }
}

/** The text of another row has another index, and another rank. */
function foreignFindings(name: string, { over }: DeclaredQuery<FilterSpec>): readonly Finding[] {
  const isFlattened = (over?.type.attributeNamed.get(name)?.spec.on ?? null) !== null
  const isPivot = typeof name === 'string' && name.startsWith('pivot.')
  if (!isFlattened && !isPivot && name !== 'id') return []
  const remedy =
    "search rows of the related type: f.hasMatching('…', { where: (_, f) => f.search('…') }), or name a text of the row"
  return [{ problem: `searches ${describeValue(name)}, which is not a text of the row itself`, remedy }]
}

function weightFindings(name: string, weight: unknown): readonly Finding[] {
  if (Number.isInteger(weight) && Number(weight) >= 1 && Number(weight) <= MAX_WEIGHT) return []
  return [
    {
      problem: `has the weight ${describeValue(weight)} for ${describeValue(name)}`,
      remedy: `give a whole number from 1 to ${MAX_WEIGHT}`,
    },
  ]
}

/** Checks that a sort by relevance names a filter of the same endpoint that searches. */
export function relevanceFindings(filter: unknown, searches: readonly string[]): readonly Finding[] {
  if (typeof filter === 'string' && searches.includes(filter)) return []
  return [
    {
      problem: `sorts by the relevance of ${describeValue(filter)}, which is not a filter that searches`,
      remedy: searches.length === 0 ? "declare one with f.search('…')" : `name ${oneOf(searches)}`,
    },
  ]
}
