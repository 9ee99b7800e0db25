import { JsonApiError, problem } from '../../core/errors/json-api-error.js'
import type { Admission, Refusal } from '../../core/http/admission.js'
import { admission } from '../../core/http/admission.js'
import type { HttpResponse } from '../../core/http/response.js'
import { overloadDefaults } from './declared/overload-settings.js'
import type { OverloadSettings } from './declared/overload-settings.js'

/** The setting `overload`. */
export interface ServedOverload {
  readonly admission: Admission
  /** The errors of requests that are refused. They are created once: under load there are many. */
  readonly errors: Readonly<Record<Refusal, JsonApiError>>
  /** The rendered errors of each server and type, for the same reason. */
  readonly responses: Map<string, HttpResponse>
}

/** Returns the setting `overload`; `null` if the server handles all requests. */
export function serveOverload(setting: boolean | OverloadSettings | undefined): ServedOverload | null {
  if (setting === undefined || setting === false) return null
  const limits = { ...overloadDefaults, ...(setting === true ? {} : setting) }
  const headers = ['Retry-After', String(limits.retryAfter)]
  return Object.freeze({
    admission: admission(limits),
    errors: Object.freeze({
      overloaded: new JsonApiError([problem('SERVER_OVERLOADED')], { headers }),
      late: new JsonApiError([problem('DEADLINE_EXCEEDED', { limit: String(limits.deadline) })], { headers }),
    }),
    responses: new Map(),
  })
}
