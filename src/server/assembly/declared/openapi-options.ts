import type { OpenApiSettings } from '../../../describe/openapi/openapi-settings.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'

const none: OpenApiSettings = Object.freeze({})

/** Returns the options of the setting `openapi`. */
export function openapiOptions(setting: boolean | OpenApiSettings | undefined): OpenApiSettings {
  return isPlainObject(setting) ? setting : none
}

/** Returns whether a server serves its descriptions. */
export function servesDescriptions(setting: unknown): boolean {
  return setting === true || (isPlainObject(setting) && setting['enabled'] !== false)
}

/** Returns whether a server serves the viewer of its descriptions. */
export function servesViewer(setting: unknown): boolean {
  return servesDescriptions(setting) && isPlainObject(setting) && setting['viewer'] === true
}
