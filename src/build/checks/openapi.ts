import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'
import type { OpenApiSettings } from '../../openapi/openapi-settings.js'

type Option = readonly [holds: (value: unknown) => boolean, remedy: string]

const text: Option = [(value) => typeof value === 'string' && value !== '', 'give a text']
const flag: Option = [(value) => typeof value === 'boolean', 'give true or false']

/** The valid values of each option. The type of this record makes the compiler report missing entries. */
const options: Readonly<Record<keyof OpenApiSettings, Option>> = Object.freeze({
  enabled: flag,
  title: text,
  version: text,
  description: text,
  info: [isPlainObject, "give an object: { license: { name: 'MIT' } }"],
  servers: [
    (value) =>
      Array.isArray(value) && value.every((server) => isPlainObject(server) && typeof server['url'] === 'string'),
    "give a list of addresses: [{ url: 'https://api.example.com' }]",
  ],
  tags: [
    (value) => Array.isArray(value) && value.every((tag) => isPlainObject(tag) && typeof tag['name'] === 'string'),
    "give a list of tags: [{ name: 'Albums' }]",
  ],
  securitySchemes: [
    (value) => isPlainObject(value) && Object.entries(value).every(isScheme),
    "give security schemes by name: { bearer: { type: 'http', scheme: 'bearer' } }",
  ],
  pageParameters: [(value) => value === 'deepObject' || value === 'flat', "choose 'deepObject' or 'flat'"],
  describedby: flag,
  decorate: [(value) => typeof value === 'function', 'give a function that takes the document and returns one'],
})

/** Checks the setting `openapi`. */
export const openapi: BuildRule = ({ settings }) => {
  const value: unknown = settings.openapi
  if (value === undefined || typeof value === 'boolean') return []
  if (!isPlainObject(value)) {
    return [settingFault('openapi', `is ${describeValue(value)}`, "give true, or an object: { title: 'Music' }")]
  }
  return Object.entries(value).flatMap(([name, given]): readonly BuildFault[] => {
    if (!Object.hasOwn(options, name)) {
      return [settingFault(`openapi.${name}`, 'is not an option', `use ${Object.keys(options).join(', ')}`)]
    }
    const [holds, remedy] = options[name as keyof OpenApiSettings]
    if (given === undefined || holds(given)) return []
    return [settingFault(`openapi.${name}`, `is ${describeValue(given)}`, remedy)]
  })
}

function isScheme([name, scheme]: readonly [string, unknown]): boolean {
  return /^[\w.-]+$/.test(name) && isPlainObject(scheme) && typeof scheme['type'] === 'string'
}
