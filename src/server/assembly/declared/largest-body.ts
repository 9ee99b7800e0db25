import { DEFAULT_BODY_LIMITS } from '../../../serve/parse/body.js'
import type { ServerSettings } from './server-settings.js'
import { settingsOfDefault, settingsOfServer } from './settings-of-server.js'

/** Returns the largest `limits.bodyBytes` of all servers, and the server that has it. Invalid limits, which another rule reports, do not count. */
export function largestBody(
  settings: ServerSettings,
  servers: readonly { readonly name: string }[],
): { readonly server: string; readonly bytes: number } {
  const ofDefault = settingsOfDefault(settings)
  let largest = { server: 'default', bytes: 0 }
  for (const { name } of servers) {
    const bytes: unknown = settingsOfServer(ofDefault, name).limits?.bodyBytes ?? DEFAULT_BODY_LIMITS.bytes
    if (typeof bytes === 'number' && bytes > largest.bytes) largest = { server: name, bytes }
  }
  return largest
}
