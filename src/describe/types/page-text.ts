import type { PageChoice, PageContract, PageKey } from '../contract/contract.js'
import { keyText, quoted, unionType } from './type-text.js'

/** Returns the type of the `page` parameters; `null` if nothing is paginated. */
export function pageType(page: PageContract | null): string {
  if (page === null) return 'null'
  const { isMenu, choices, defaultKind } = page
  const selector = ({ kind }: PageChoice): readonly string[] =>
    isMenu ? [`kind${kind === defaultKind ? '?' : ''}: ${quoted(kind)}`] : []
  return unionType(
    choices.map((choice) => `{ ${[...selector(choice), ...choice.keys.map(parameterText)].join('; ')} }`),
  )
}

function parameterText({ name, key }: PageChoice['keys'][number]): string {
  return `${keyText(key)}?: ${valueType(name)} | undefined`
}

function valueType(name: PageKey['name']): string {
  if (name === 'count') return quoted('estimate')
  return name === 'after' || name === 'before' ? 'string' : 'number'
}
