import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import type { BuildContext } from './build-rule.js'
import { defaultPaginator } from './default-paginator.js'
import { describeValue } from './describe-value.js'
import { settingsOfServer } from './settings-of-server.js'

/** Returns the types and relations with cursor pages, for messages. Paginators that are not valid have none. */
export function cursorPagesOf({ types, settings }: BuildContext): readonly string[] {
  return types.flatMap(({ type }) => {
    const ofType = type.servers.some((server) => {
      return hasCursors(() => type.pagination(defaultPaginator(settingsOfServer(settings, server))))
    })
    const relations = type.relations.filter(({ spec }) => hasCursors(() => spec.pagination ?? null))
    return [
      ...(ofType ? [describeValue(type.type)] : []),
      ...relations.map(({ name }) => describeValue(`${type.type}.${name}`)),
    ]
  })
}

/** @param paginator may be a function of the application */
function hasCursors(paginator: () => AnyPaginator | null): boolean {
  try {
    const found = paginator()
    const choices = found?.strategy === 'menu' ? found.choices : [found]
    return choices.some((each) => each?.strategy === 'cursor')
  } catch {
    return false
  }
}
