import type { Service } from '../build/service.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { shownCost } from '../resource/request-costs.js'

/**
 * Adds the cost of a request to its response in debug mode: `Query-Cost: 165;budget=2000`. It is a header, so that documents are the
 * same in debug mode and in production, and responses without a document have it too.
 */
export function withQueryCost(
  { services: { queryCost } }: Pick<Service, 'services'>,
  request: HttpRequest,
  response: HttpResponse,
): HttpResponse {
  const shown = queryCost?.isShown === true ? shownCost(request) : null
  if (shown === null) return response
  const budget = Number.isFinite(shown.budget) ? `;budget=${shown.budget}` : ''
  return { ...response, headers: [...response.headers, 'Query-Cost', `${shown.cost}${budget}`] }
}
