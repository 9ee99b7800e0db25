import { choosePaginator, keyNamesOf } from '../../declare/pagination/choose-paginator.js'
import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { PageContract } from './contract.js'

/** Returns the pages of a list as plain data; `null` for a list that is one document. */
export function pageContract(paginator: AnyPaginator | null): PageContract | null {
  if (paginator === null) return null
  const isMenu = paginator.strategy === 'menu'
  const choices = isMenu ? paginator.choices : [paginator]
  const selectedBy = (key: string): string => choosePaginator(paginator, new Map([[key, '1']])).kind
  return {
    isMenu,
    choices: choices.map((choice) => {
      const { strategy, kind, size, maxSize, counted, keys } = choice
      const names = keyNamesOf(choice)
      return {
        strategy,
        kind,
        size,
        maxSize,
        counted,
        keys: names.map((name) => ({ name, key: keys[name], selects: selectedBy(keys[name]) })),
      }
    }),
    defaultKind: choosePaginator(paginator, new Map()).kind,
  }
}
