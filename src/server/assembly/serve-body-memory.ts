import { JsonApiError, problem } from '../../core/errors/json-api-error.js'
import { type BodyMemory, bodyMemory } from '../../core/http/body-memory.js'
import type { RouteServer } from '../../serve/route/route-server.js'
import { largestBody } from './declared/largest-body.js'
import type { ServerSettings } from './declared/server-settings.js'

/** The least memory by default. */
const LEAST_MEMORY = 64 * 1024 * 1024

/** How many of the largest bodies fit into the memory by default, at least. */
const LARGEST_BODIES = 8

/** Returns the setting `bodyMemory`. */
export function serveBodyMemory(settings: ServerSettings, servers: readonly RouteServer[]): BodyMemory {
  const { bytes } = largestBody(settings, servers)
  const limit = settings.bodyMemory ?? Math.max(LEAST_MEMORY, LARGEST_BODIES * bytes)
  // Created once: under load, many requests get it.
  return bodyMemory(limit, new JsonApiError([problem('REQUEST_BODY_REFUSED')], { headers: ['Retry-After', '1'] }))
}
