import { defineType, fixedPage, id } from 'ashlar'
import { withToken } from '../access/policies.js'

const names: Readonly<Record<string, string>> = {
  de: 'Germany',
  gb: 'United Kingdom',
  is: 'Iceland',
  jp: 'Japan',
  us: 'United States',
}

/** A type without a table: a serializer, and a provider with constant rows. */
export const countries = defineType('countries', {
  description: 'Countries by their codes.',
  fields: (a) => ({ code: id(), name: a.string() }),
  serializer: {
    members: ['name'],
    serialize: ({ code, name }) => ({ id: String(code), attributes: { name } }),
  },
  provider: {
    fetchOne: (_type, code) => (Object.hasOwn(names, code) ? { code, name: names[code] } : null),
    fetchCollection: () => Object.entries(names).map(([code, name]) => ({ code, name })),
  },
  policy: withToken,
  operations: ['FetchCollection', 'FetchOne'],
  pagination: fixedPage(),
})
