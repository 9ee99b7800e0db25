import { thrownMessage } from '../../errors/describe-thrown.js'
import { pageKeyNames } from '../../pagination/choose-paginator.js'
import type { PageStrategy } from '../../pagination/paginator.js'
import type { BuildFault } from '../declared/build-fault.js'
import { defaultPaginator } from '../declared/default-paginator.js'
import type { BuildRule, BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { nameOf } from '../declared/build-rule.js'
import { listed, oneOf, shown } from '../declared/shown.js'

type Finding = Pick<BuildFault, 'problem' | 'remedy'>
type Loose = Readonly<Record<string, unknown>>

/** Paginators of the settings, of types and of relations can cut pages, and menus have something to choose. */
export const paginators: BuildRule = (world) => {
  const { pagination } = world.settings
  const ofServer = pagination === undefined || pagination === null ? [] : findings(pagination)
  return [
    ...ofServer.map((finding) => ({ type: null, member: 'pagination', ...finding })),
    ...world.types.flatMap((declared) => [
      ...ofType(declared, world).map((finding) => ({ type: nameOf(declared), member: 'pagination', ...finding })),
      ...declared.type.relations.flatMap(({ name, spec }) =>
        spec.pagination === undefined || spec.pagination === null
          ? []
          : findings(spec.pagination).map((finding) => ({ type: nameOf(declared), member: name, ...finding })),
      ),
    ]),
  ]
}

/** A function is asked once, with what the server would use. */
function ofType({ type, given }: DeclaredType, { settings }: BuildWorld): readonly Finding[] {
  if (given['pagination'] === undefined) return []
  const serverDefault = defaultPaginator(settings)
  try {
    const paginator: unknown = type.pagination(serverDefault)
    return paginator === null || paginator === serverDefault ? [] : findings(paginator)
  } catch (thrown) {
    return [{ problem: `the function threw: ${thrownMessage(thrown)}`, remedy: 'let it answer a paginator, or null' }]
  }
}

function findings(paginator: unknown): readonly Finding[] {
  if (isLoose(paginator) && paginator['strategy'] === 'menu') return menuFindings(paginator)
  if (isLoose(paginator) && isStrategy(paginator['strategy'])) return pageFindings(paginator)
  return [
    { problem: `${shown(paginator)} is no paginator`, remedy: 'give one, such as numberPage(), or null for none' },
  ]
}

function menuFindings({ choices, defaultKind }: Loose): readonly Finding[] {
  if (!Array.isArray(choices) || choices.length === 0) {
    return [{ problem: 'is a menu with no choice', remedy: 'offer some: pageMenu([numberPage(), cursorPage()])' }]
  }
  const kinds = choices.map((choice: unknown) => (isLoose(choice) ? choice['kind'] : undefined))
  const twice = [...new Set(kinds.filter((kind, index) => kind !== undefined && kinds.indexOf(kind) !== index))]
  const known = defaultKind === null || kinds.includes(defaultKind)
  return [
    ...choices.flatMap((choice: unknown) =>
      isLoose(choice) && isStrategy(choice['strategy'])
        ? pageFindings(choice)
        : [{ problem: `offers ${shown(choice)}, which is no paginator`, remedy: 'offer paginators, not menus' }],
    ),
    ...twice.map((kind) => ({
      problem: `offers two paginators of the kind ${shown(kind)}`,
      remedy: "name one of them: numberPage().named('large')",
    })),
    ...(known
      ? []
      : [
          {
            problem: `has the default ${shown(defaultKind)}, which it does not offer`,
            remedy: `use ${oneOf(texts(kinds))}`,
          },
        ]),
  ]
}

function pageFindings({ strategy, kind, size, maxSize, keys }: Loose): readonly Finding[] {
  const sound = isWhole(size) && size > 0
  const read = isStrategy(strategy) ? pageKeyNames[strategy] : []
  const names = isLoose(keys) ? read.map((key) => keys[key]) : [keys]
  return [
    ...(typeof kind === 'string' && kind !== ''
      ? []
      : [{ problem: `is named ${shown(kind)}`, remedy: "give a text: named('large')" }]),
    ...(sound ? [] : [{ problem: `has the page size ${shown(size)}`, remedy: 'give a whole number above 0' }]),
    ...(isWhole(maxSize) && maxSize >= 0
      ? []
      : [{ problem: `has the largest page size ${shown(maxSize)}`, remedy: 'give a whole number, 0 for no limit' }]),
    ...(sound && isWhole(maxSize) && maxSize > 0 && size > maxSize
      ? [
          {
            problem: `has the page size ${size}, above its largest, ${maxSize}`,
            remedy: 'raise maxSize, or lower size',
          },
        ]
      : []),
    ...(names.every((name) => typeof name === 'string' && /^[^[\]]+$/.test(name))
      ? []
      : [
          { problem: 'has a page key that is no name', remedy: "give texts without brackets: keys: { size: 'limit' }" },
        ]),
    ...repeatedKeys(names),
  ]
}

function repeatedKeys(names: readonly unknown[]): readonly Finding[] {
  const twice = texts(names).filter((name, index) => names.indexOf(name) !== index)
  if (twice.length === 0) return []
  return [{ problem: `gives two page keys the name ${listed([...new Set(twice)])}`, remedy: 'tell them apart' }]
}

function isStrategy(value: unknown): value is PageStrategy {
  return typeof value === 'string' && Object.hasOwn(pageKeyNames, value)
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string')
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value)
}

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null
}
