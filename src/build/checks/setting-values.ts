import { isPlainObject } from '../../util/frozen.js'
import type { ServerSettings } from '../declared/server-settings.js'
import type { AnyResource } from '../../resource/resource-types.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { isHeaderText } from './header-text.js'
import { shown } from '../declared/shown.js'

type Setting = keyof ServerSettings<readonly AnyResource[]>

interface Expectation {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const flag: Expectation = { holds: (value) => typeof value === 'boolean', remedy: 'give true or false' }
const mayBeNull =
  (holds: Expectation['holds']): Expectation['holds'] =>
  (value) =>
    value === null || holds(value)
/** Looked at by a rule of its own. */
const elsewhere: Expectation = { holds: () => true, remedy: '' }

/** What each setting may be. The compiler keeps this list complete. */
const expectations: Readonly<Record<Setting, Expectation>> = Object.freeze({
  resources: { holds: Array.isArray, remedy: 'give a list of declarations: resources: [albums]' },
  baseUri: {
    holds: (value) => value === '' || isHttpUrl(value),
    remedy: "give an absolute URL, baseUri: 'https://example.com', or leave it out",
  },
  version: { holds: (value) => typeof value === 'string', remedy: "give a text, such as '1.1', or '' for none" },
  jsonapiMeta: { holds: isPlainObject, remedy: 'give an object' },
  services: { holds: isPlainObject, remedy: 'give an object of serializers and hydrators by name' },
  maxPageSize: { holds: (value) => isWhole(value) && value >= 0, remedy: 'give a whole number, 0 to turn paging off' },
  maxIncludeDepth: { holds: isWhole, remedy: 'give a whole number, 0 for no limit' },
  unknownMembers: {
    holds: (value) => value === 'ignore' || value === 'reject',
    remedy: "choose 'ignore' or 'reject'",
  },
  strictQueryParameters: flag,
  trustProxy: flag,
  debug: flag,
  logger: { holds: mayBeNull(hasError), remedy: "give a logger with a function 'error', or null for none" },
  messages: {
    holds: mayBeNull((value) => typeof value === 'function' || isPlainObject(value)),
    remedy: 'give a function, or an object of messages by code',
  },
  handler: {
    holds: mayBeNull((value) => typeof value === 'function'),
    remedy: 'give a function of the built-in handler, or null for a server that handles nothing',
  },
  serving: { holds: mayBeNull((value) => typeof value === 'function'), remedy: 'give a function' },
  data: elsewhere,
  servers: elsewhere,
  pagination: elsewhere,
  queryFamilies: elsewhere,
  profiles: elsewhere,
  limits: elsewhere,
  extensions: elsewhere,
  mappers: elsewhere,
  exceptionMap: elsewhere,
})

/** Asked for even when it is left out. */
const required: { readonly [Member in Setting]?: unknown } = Object.freeze({ resources: undefined })

/** Settings are what they are declared to be, and there are no others: a misspelt one is not passed over. */
export const settingValues: BuildRule = ({ settings }) =>
  Object.entries({ ...required, ...settings }).flatMap(([member, value]: [string, unknown]) => {
    if (!Object.hasOwn(expectations, member)) {
      return [settingFault(member, 'is no setting', 'take it away, or correct its spelling')]
    }
    const { holds, remedy } = expectations[member as Setting]
    if ((value === undefined && !Object.hasOwn(required, member)) || holds(value)) return []
    return [settingFault(member, `is ${shown(value)}`, remedy)]
  })

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value)
}

function hasError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'function'
}

/** The base of links: what a query or a fragment would follow is not one. */
function isHttpUrl(value: unknown): boolean {
  if (!isHeaderText(value) || !/^https?:\/\/[^/?#]/.test(value) || /[?#\s]/.test(value)) return false
  return URL.canParse(value)
}
