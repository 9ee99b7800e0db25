import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks the setting `cors` of each server. */
export const cors: BuildRule = ({ settings }) => {
  const servers: Readonly<Record<string, unknown>> = isPlainObject(settings.servers) ? settings.servers : {}
  const named = Object.entries(servers).flatMap(([name, server]) =>
    isPlainObject(server) ? [[`servers.${name}.cors`, server['cors']] as const] : [],
  )
  const isTwice =
    settings.cors !== undefined && named.some(([member, value]) => member === defaultMember && value !== undefined)
  const remedy = "leave one of them out: both are of the server 'default'"
  return [
    ...[['cors', settings.cors as unknown] as const, ...named].flatMap(([member, value]) =>
      value === undefined || value === false ? [] : valueFaults(member, value),
    ),
    ...(isTwice ? [settingFault('cors', `is also declared as '${defaultMember}'`, remedy)] : []),
  ]
}

const defaultMember = 'servers.default.cors'

type Option = readonly [holds: (value: unknown) => boolean, remedy: string]

const headerNames: Option = [
  (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
  "give a list of header names: ['X-Total']",
]

const options: Readonly<Record<string, Option>> = {
  origins: [
    (value) => value === '*' || typeof value === 'function' || (Array.isArray(value) && value.every(isOrigin)),
    "give origins without a path, ['https://app.example.com', 'https://*.example.com'], '*' for all, or a function",
  ],
  credentials: [(value) => typeof value === 'boolean', 'give true or false'],
  requestHeaders: headerNames,
  exposedHeaders: headerNames,
  maxAge: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'give a whole number of seconds'],
}

function valueFaults(member: string, value: unknown): readonly BuildFault[] {
  if (!isPlainObject(value)) {
    const remedy = "give an object, { origins: ['https://app.example.com'] }, or false"
    return [settingFault(member, `is ${describeValue(value)}`, remedy)]
  }
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(options, name))
  const faults = Object.entries(options).flatMap(([name, [holds, remedy]]) => {
    const given = value[name]
    if (given === undefined && name !== 'origins') return []
    return holds(given) ? [] : [settingFault(`${member}.${name}`, `is ${describeValue(given)}`, remedy)]
  })
  const all = value['origins'] === '*' && value['credentials'] === true
  return [
    ...unknown.map((name) =>
      settingFault(`${member}.${name}`, 'is not an option', `use ${Object.keys(options).join(', ')}`),
    ),
    ...faults,
    ...(all
      ? [
          settingFault(
            `${member}.credentials`,
            "is true, but 'origins' are all: every web page could act for a signed-in user",
            'name the origins, or leave credentials out',
          ),
        ]
      : []),
  ]
}

/** `https://app.example.com`, with a port or not; `*.` matches every subdomain. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[a-z][a-z\d+.-]*:\/\/[^/?#\s*]+$/i.test(value.replace('://*.', '://')))
    return false
  const url = value.replace('://*.', '://')
  return URL.canParse(url) && (new URL(url).pathname === '/' || new URL(url).pathname === '')
}
