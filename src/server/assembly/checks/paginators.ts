import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { pageKeyNames } from '../../../declare/pagination/choose-paginator.js'
import type { PageStrategy } from '../../../declare/pagination/paginator.js'
import type { BuildFault } from '../declared/build-fault.js'
import { defaultPaginator } from '../declared/default-paginator.js'
import type { BuildRule, BuildContext, DeclaredType } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'
import { quoteList, oneOf, describeValue } from '../declared/describe-value.js'

type Finding = Pick<BuildFault, 'problem' | 'remedy'>
type UnknownMembers = Readonly<Record<string, unknown>>

/** Checks that the paginators of the settings, types and relations are valid, and that page menus have choices. */
export const paginators: BuildRule = (context) => {
  const { pagination } = context.settings
  const serverFindings = pagination === undefined || pagination === null ? [] : findings(pagination)
  return [
    ...serverFindings.map((finding) => ({ type: null, member: 'pagination', ...finding })),
    ...context.types.flatMap((declared) => [
      ...typeFindings(declared, context).map((finding) => ({
        type: typeLabel(declared),
        member: 'pagination',
        ...finding,
      })),
      ...declared.type.relations.flatMap(({ name, spec }) =>
        spec.pagination === undefined || spec.pagination === null
          ? []
          : findings(spec.pagination).map((finding) => ({ type: typeLabel(declared), member: name, ...finding })),
      ),
    ]),
  ]
}

/** A function is called once, with the default paginator of the server. */
function typeFindings({ type, rawMembers: given }: DeclaredType, { settings }: BuildContext): readonly Finding[] {
  if (given['pagination'] === undefined) return []
  const serverDefault = defaultPaginator(settings)
  try {
    const paginator: unknown = type.pagination(serverDefault)
    return paginator === null || paginator === serverDefault ? [] : findings(paginator)
  } catch (thrown) {
    return [{ problem: `the function threw: ${thrownMessage(thrown)}`, remedy: 'return a paginator, or null' }]
  }
}

function findings(paginator: unknown): readonly Finding[] {
  if (isObject(paginator) && paginator['strategy'] === 'menu') return menuFindings(paginator)
  if (isObject(paginator) && isStrategy(paginator['strategy'])) return pageFindings(paginator)
  return [
    {
      problem: `${describeValue(paginator)} is not a paginator`,
      remedy: 'give one, such as numberPage(), or null for none',
    },
  ]
}

function menuFindings({ choices, defaultKind }: UnknownMembers): readonly Finding[] {
  if (!Array.isArray(choices) || choices.length === 0) {
    return [{ problem: 'is a page menu without choices', remedy: 'offer some: pageMenu([numberPage(), cursorPage()])' }]
  }
  const kinds = choices.map((choice: unknown) => (isObject(choice) ? choice['kind'] : undefined))
  const repeated = [...new Set(kinds.filter((kind, index) => kind !== undefined && kinds.indexOf(kind) !== index))]
  const isDefaultOffered = defaultKind === null || kinds.includes(defaultKind)
  return [
    ...choices.flatMap((choice: unknown) =>
      isObject(choice) && isStrategy(choice['strategy'])
        ? pageFindings(choice)
        : [
            {
              problem: `offers ${describeValue(choice)}, which is not a paginator`,
              remedy: 'offer paginators, not menus',
            },
          ],
    ),
    ...repeated.map((kind) => ({
      problem: `offers two paginators of the kind ${describeValue(kind)}`,
      remedy: "name one of them: numberPage().named('large')",
    })),
    ...(isDefaultOffered
      ? []
      : [
          {
            problem: `has the default ${describeValue(defaultKind)}, which it does not offer`,
            remedy: `use ${oneOf(strings(kinds))}`,
          },
        ]),
  ]
}

function pageFindings({ strategy, kind, size, maxSize, keys, estimate }: UnknownMembers): readonly Finding[] {
  const isValidSize = isWhole(size) && size > 0
  const ofStrategy = isStrategy(strategy) ? pageKeyNames[strategy] : []
  const pageKeys = isObject(estimate) ? [...ofStrategy, 'count'] : ofStrategy
  const names = isObject(keys) ? pageKeys.map((key) => keys[key]) : [keys]
  return [
    ...(typeof kind === 'string' && kind !== ''
      ? []
      : [{ problem: `has the name ${describeValue(kind)}`, remedy: "give a string: named('large')" }]),
    ...(isValidSize
      ? []
      : [{ problem: `has the page size ${describeValue(size)}`, remedy: 'give a whole number above 0' }]),
    ...(isWhole(maxSize) && maxSize >= 0
      ? []
      : [
          {
            problem: `has the largest page size ${describeValue(maxSize)}`,
            remedy: 'give a whole number, 0 for no limit',
          },
        ]),
    ...(isValidSize && isWhole(maxSize) && maxSize > 0 && size > maxSize
      ? [
          {
            problem: `has the page size ${size}, which is above its largest page size ${maxSize}`,
            remedy: 'raise maxSize, or lower size',
          },
        ]
      : []),
    ...(names.every((name) => typeof name === 'string' && /^[^[\]]+$/.test(name))
      ? []
      : [
          {
            problem: 'has a page key that is not a name',
            remedy: "give strings without brackets: keys: { size: 'limit' }",
          },
        ]),
    ...repeatedKeys(names),
    ...(isObject(estimate) ? estimateFindings(estimate) : []),
  ]
}

function estimateFindings({ exactUpTo, underRules }: UnknownMembers): readonly Finding[] {
  const isNumber = isWhole(exactUpTo) && exactUpTo > 0 && exactUpTo <= MAX_EXACT
  return [
    ...(isNumber
      ? []
      : [
          {
            problem: `has estimable() with exactUpTo ${describeValue(exactUpTo)}`,
            remedy: `give a whole number from 1 to ${MAX_EXACT}`,
          },
        ]),
    ...(typeof underRules === 'boolean'
      ? []
      : [{ problem: `has estimable() with underRules ${describeValue(underRules)}`, remedy: 'give true or false' }]),
  ]
}

/** The largest number of rows that are counted before a total is estimated. */
const MAX_EXACT = 1_000_000

function repeatedKeys(names: readonly unknown[]): readonly Finding[] {
  const repeated = strings(names).filter((name, index) => names.indexOf(name) !== index)
  if (repeated.length === 0) return []
  return [
    {
      problem: `gives two page keys the name ${quoteList([...new Set(repeated)])}`,
      remedy: 'give each page key a different name',
    },
  ]
}

function isStrategy(value: unknown): value is PageStrategy {
  return typeof value === 'string' && Object.hasOwn(pageKeyNames, value)
}

function strings(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string')
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value)
}

function isObject(value: unknown): value is UnknownMembers {
  return typeof value === 'object' && value !== null
}
