import type { RequestTrace } from '../../core/http/request-trace.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { ServedRoute } from '../../serve/route/route-table.js'
import type { HandleOptions } from './handle-options.js'

/** What is known about a request on its way to the handler. */
export interface Call {
  readonly route: ServedRoute
  /** What the application has said about the request. */
  readonly options: HandleOptions
  /** The caller that the application has named, or else the middleware; `null` for an anonymous caller. */
  readonly caller: Caller
  /** `null` if the request is not traced. */
  readonly trace: RequestTrace | null
  /** How long it has waited for earlier requests, in milliseconds. */
  readonly waited: number
}

/** Serves a request. It never rejects: every failure is a response. */
export type Serve = (request: HttpRequest, call: Call) => Promise<HttpResponse>
