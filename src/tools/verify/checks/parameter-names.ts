import { isMemberName } from '../../../core/document/member-name.js'
import type { Check } from './run.js'

/** The families of query parameters that JSON:API defines. */
const families: readonly string[] = ['include', 'fields', 'sort', 'page', 'filter']

/**
 * Checks the names of query parameters that JSON:API does not define: each family has a character other than a-z. The names
 * are found in links and in the OpenAPI document. https://jsonapi.org/format/1.1/#query-parameters-custom
 */
export const parameterNames: Check = {
  name: 'names of query parameters',
  statements: ['query-parameters-non-alpha', 'query-parameters-under-camel', 'filtering'],
  async run({ knowledge, ledger, description }) {
    const described = description?.queryParameters ?? []
    for (const name of described) if (/^filter(?:\[|$)/.test(name)) ledger.observe('filtering')
    const linked = [...knowledge.linkParameters].map(([name, { href, exchange }]) => ({
      name,
      where: `the link ${href}`,
      exchange,
    }))
    const all = [...linked, ...described.map((name) => ({ name, where: 'the OpenAPI document', exchange: null }))]
    for (const { name, where, exchange } of all) {
      const family = name.split('[')[0] ?? ''
      // Extensions have a namespace.
      if (families.includes(family) || family.includes(':')) continue
      ledger.expect('query-parameters-non-alpha', isMemberName(family) && /[^a-z]/.test(family), {
        problem: `The query parameter '${name}' of ${where} is not one of JSON:API, and its name has only the characters a-z.`,
        exchange,
      })
      ledger.observe('query-parameters-under-camel')
    }
  },
}
