import { isAuthority } from '../../../core/http/authority.js'
import { isContentCoding } from '../../../core/http/content-coding.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { ServerSettings } from '../declared/server-settings.js'
import type { Telemetry } from '../declared/telemetry.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { isHeaderText } from './header-text.js'
import { describeValue } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'
import { checkedElsewhere, flag, listOf, oneOfValues, wholeNumber } from '../declared/option-shapes.js'
import { isLinkagePolicy } from '../../../declare/resource/relations/relation-spec.js'

type Setting = keyof ServerSettings

const nullOr =
  (holds: OptionShape['holds']): OptionShape['holds'] =>
  (value) =>
    value === null || holds(value)

/** The valid values of each setting. The type of this record makes the compiler report missing entries. */
const expectations: Readonly<Record<Setting, OptionShape>> = Object.freeze({
  resources: { holds: Array.isArray, remedy: 'give a list of declarations: resources: [albums]' },
  baseUri: {
    holds: (value) => value === '' || isHttpUrl(value),
    remedy: "give an absolute URL, baseUri: 'https://example.com', or leave it out",
  },
  policy: checkedElsewhere,
  access: oneOfValues(['open'], "give 'open', or leave it out"),
  version: { holds: (value) => typeof value === 'string', remedy: "give a string, such as '1.1', or '' for none" },
  jsonapiMeta: { holds: isPlainObject, remedy: 'give an object' },
  services: { holds: isPlainObject, remedy: 'give an object of serializers and hydrators by name' },
  maxPageSize: wholeNumber(0, 'give a whole number, 0 to turn paging off'),
  maxIncludeDepth: { holds: Number.isInteger, remedy: 'give a whole number, 0 for no limit' },
  unknownMembers: oneOfValues(['ignore', 'reject'], "choose 'ignore' or 'reject'"),
  validateStored: flag,
  linkage: { holds: isLinkagePolicy, remedy: "choose 'always' or 'whenLoaded'" },
  respondWithLinkage: flag,
  versions: oneOfValues(['declared', 'hash'], "choose 'declared' or 'hash'"),
  secret: checkedElsewhere,
  rootDocument: flag,
  dryRun: flag,
  cacheHeaders: checkedElsewhere,
  deprecation: checkedElsewhere,
  sunset: checkedElsewhere,
  sunsetLink: checkedElsewhere,
  strictQueryParameters: flag,
  strictPages: flag,
  trustProxy: flag,
  allowedHosts: listOf(isHostPattern, "give a list of host names: allowedHosts: ['example.com', '*.example.com']"),
  requestEncodings: listOf(
    isContentCoding,
    "give a list of 'gzip', 'deflate', 'br' and, on Node 22.15 or later, 'zstd'; [] for none",
  ),
  debug: flag,
  logger: { holds: nullOr(hasError), remedy: "give a logger with a function 'error', or null for none" },
  messages: {
    holds: nullOr((value) => typeof value === 'function' || isPlainObject(value)),
    remedy: 'give a function, or an object of messages by code',
  },
  handler: {
    holds: nullOr((value) => typeof value === 'function'),
    remedy: 'give a function that takes the built-in handler, or null for a server that handles nothing',
  },
  serving: { holds: nullOr((value) => typeof value === 'function'), remedy: 'give a function' },
  data: checkedElsewhere,
  servers: checkedElsewhere,
  middleware: checkedElsewhere,
  idempotency: checkedElsewhere,
  cors: checkedElsewhere,
  overload: checkedElsewhere,
  bodyMemory: checkedElsewhere,
  requestLog: { holds: nullOr(hasInfo), remedy: "give a logger with a function 'info', or null for none" },
  requestIds: flag,
  telemetry: {
    holds: nullOr(isTelemetry),
    remedy: 'give openTelemetry() of ashlar/opentelemetry, or null for none',
  },
  compression: checkedElsewhere,
  pagination: checkedElsewhere,
  queryFamilies: checkedElsewhere,
  profiles: checkedElsewhere,
  limits: checkedElsewhere,
  queryCost: checkedElsewhere,
  openapi: checkedElsewhere,
  extensions: checkedElsewhere,
  mappers: checkedElsewhere,
  exceptionMap: checkedElsewhere,
})

/** Settings that are checked even if they are left out. */
const required: { readonly [Member in Setting]?: unknown } = Object.freeze({ resources: undefined })

/** Checks that settings are known and valid, so that a misspelt setting is reported instead of ignored. */
export const settingValues: BuildRule = ({ settings }) => valueFaults({ ...required, ...settings })

/** Returns the faults of settings. Missing settings are valid. */
export function valueFaults(settings: Readonly<Record<string, unknown>>): readonly BuildFault[] {
  return Object.entries(settings).flatMap(([member, value]) => {
    if (!Object.hasOwn(expectations, member)) {
      return [settingFault(member, 'is not a setting', 'remove it, or correct its spelling')]
    }
    const { holds, remedy } = expectations[member as Setting]
    if ((value === undefined && !Object.hasOwn(required, member)) || holds(value)) return []
    return [settingFault(member, `is ${describeValue(value)}`, remedy)]
  })
}

function isHostPattern(value: unknown): boolean {
  return typeof value === 'string' && isAuthority(value.replace(/^\*\./, ''))
}

function hasInfo(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'info' in value && typeof value.info === 'function'
}

function isTelemetry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { request, dispatch, observe }: Partial<Record<keyof Telemetry, unknown>> = value
  return [request, dispatch, observe].every((each) => typeof each === 'function')
}

function hasError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'function'
}

/** The base URL of links has no query and no fragment. */
function isHttpUrl(value: unknown): boolean {
  if (!isHeaderText(value) || !/^https?:\/\/[^/?#]/.test(value) || /[?#\s]/.test(value)) return false
  return URL.canParse(value)
}
