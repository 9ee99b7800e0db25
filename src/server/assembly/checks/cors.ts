import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../../core/util/types.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import type { OptionShape, OptionShapes } from '../declared/option-shapes.js'
import { faultsByServer, flag, listOf, settingFaults, wholeNumber } from '../declared/option-shapes.js'

/** Checks the setting `cors` of each server. */
export const cors: BuildRule = (context) => faultsByServer(context, 'cors', corsFaults)

const headerNames = listOf(
  (name) => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name),
  "give a list of header names: ['X-Total']",
)

const origins: OptionShape = {
  holds: (value) =>
    value === '*' || typeof value === 'function' || (Array.isArray(value) && value.every((each) => isOrigin(each))),
  remedy:
    "give origins without a path, ['https://app.example.com', 'https://*.example.com'], '*' for all, or a function",
}

const shapes: OptionShapes = Object.freeze({
  origins,
  credentials: flag,
  requestHeaders: headerNames,
  exposedHeaders: headerNames,
  maxAge: wholeNumber(0, 'give a whole number of seconds'),
})

function corsFaults(member: string, value: unknown): readonly BuildFault[] {
  if (value === false) return []
  const faults = settingFaults(member, value, {
    remedy: "give an object, { origins: ['https://app.example.com'] }, or false",
    shapes,
    unknown: { problem: 'is not an option', remedy: `use ${Object.keys(shapes).join(', ')}` },
  })
  return isPlainObject(value) ? [...faults, ...originFaults(member, value)] : faults
}

function originFaults(member: string, given: JsonMembers): readonly BuildFault[] {
  if (given['origins'] === undefined) return [settingFault(`${member}.origins`, 'is undefined', origins.remedy)]
  if (given['origins'] !== '*' || given['credentials'] !== true) return []
  const problem = "is true, but 'origins' are all: every web page could act for a signed-in user"
  return [settingFault(`${member}.credentials`, problem, 'name the origins, or leave credentials out')]
}

/** `https://app.example.com`, with a port or not; `*.` matches every subdomain. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[a-z][a-z\d+.-]*:\/\/[^/?#\s*]+$/i.test(value.replace('://*.', '://')))
    return false
  const url = value.replace('://*.', '://')
  return URL.canParse(url) && (new URL(url).pathname === '/' || new URL(url).pathname === '')
}
