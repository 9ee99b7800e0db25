import { pageKeyNames } from '../../declare/pagination/choose-paginator.js'
import type { AnyPaginator, Paginator } from '../../declare/pagination/paginator.js'
import { quoted, unionType } from './type-text.js'

/** Returns the type of the `page` parameters; `null` if nothing is paginated. */
export function pageType(paginator: AnyPaginator | null): string {
  if (paginator === null) return 'null'
  if (paginator.strategy !== 'menu') return parametersType(paginator)
  const { choices, defaultKind } = paginator
  const defaultChoice = defaultKind ?? choices[0]?.kind
  return unionType(choices.map((choice) => parametersType(choice, `kind${choice.kind === defaultChoice ? '?' : ''}`)))
}

/** @param kind the name of the member that selects the paginator in a menu */
function parametersType({ strategy, kind: value, keys }: Paginator, kind?: string): string {
  const parameters = pageKeyNames[strategy].map((name) => {
    return `${keyText(keys[name])}?: ${name === 'after' || name === 'before' ? 'string' : 'number'} | undefined`
  })
  const members = [...(kind === undefined ? [] : [`${kind}: ${quoted(value)}`]), ...parameters]
  return `{ ${members.join('; ')} }`
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)
}
