import { parseTarget } from '../../serve/adapters/node-request.js'
import type { Service } from '../assembly/service.js'
import { JsonApiError } from '../../core/errors/json-api-error.js'
import { explainRead, isFetch } from '../explain/explain-read.js'
import type { ReadExplanation, ReadQuestion } from '../explain/read-explanation.js'
import { operationFor } from '../../serve/operation/operation.js'
import type { Route } from '../../serve/route/route-table.js'
import { invariant } from '../../core/util/invariant.js'
import { targetOfRoute } from './check-method.js'
import { recordedStatements } from './recorded-statements.js'

/** An invalid question: the URL is not that of a read. */
class ReadQuestionError extends Error {
  override readonly name = 'ReadQuestionError'
}

/** Returns the cost of a GET request to a URL, and the statements that it runs if the question requests them. No middleware runs. */
export async function explainUrl(
  services: Service,
  { url, as: caller = null, server, profiles = [], statements: isRead = false }: ReadQuestion,
): Promise<ReadExplanation> {
  const { path, query, host } = partsOf(url)
  const { routes } = services
  const matched = server === undefined ? routes.match(path, () => host) : routes.matchOn(server, path)
  const route = checkedRoute(matched, url)
  const { name } = route.server
  const service = services.forServer(name)
  const registered = profiles.filter((uri) => service.profiles.some((profile) => profile.uri === uri))
  const operation = operationFor('GET', targetOfRoute(route), {
    query: service.readQuery(query, registered),
    profiles: registered,
    document: undefined,
    returns: null,
    ifMatch: null,
    ifNoneMatch: null,
    context: { server: name, caller, request: null },
  })
  invariant(isFetch(operation), `GET is the method of '${operation.kind}'`)
  const planned = await explainRead(operation, service.services)
  const { handler } = service
  const isRun = isRead && planned.isWithinBudget && handler !== null
  return { ...planned, ...(isRun ? await runRead(() => handler(operation)) : notRun) }
}

const notRun = Object.freeze({ statements: null, refusal: null })

/** A refused read, such as one of a resource that does not exist, has statements too. */
async function runRead(read: () => Promise<unknown>): Promise<Pick<ReadExplanation, 'statements' | 'refusal'>> {
  let refusal: string | null = null
  const statements = await recordedStatements(async () => {
    try {
      await read()
    } catch (thrown) {
      if (!JsonApiError.is(thrown) || thrown.status >= 500) throw thrown
      refusal = thrown.message
    }
  })
  return { statements, refusal }
}

function partsOf(url: string): { readonly path: string; readonly query: string; readonly host: string } {
  const target = parseTarget(url)
  if (target === null) throw new ReadQuestionError(`'${url}' is not a URL: begin it with a slash, as in /albums.`)
  const [whole = ''] = target.text.split('#')
  const mark = whole.indexOf('?')
  return {
    path: mark === -1 ? whole : whole.slice(0, mark),
    query: mark === -1 ? '' : whole.slice(mark + 1),
    host: target.authority ?? '',
  }
}

function checkedRoute(route: Route, url: string): Extract<Route, { kind: 'match' }> {
  if (route.kind === 'match' && route.methods.includes('GET')) return route
  throw new ReadQuestionError(`'${url}' is not a URL at which this service reads resources.`)
}
