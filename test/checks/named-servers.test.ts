import { atomic } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, settingFaults } from './refusals.js'

const admin = (settings: object): readonly string[] =>
  settingFaults({ servers: { admin: { prefix: '/admin', ...settings } } })

describe('a named server', () => {
  refusals([
    {
      name: 'must not have unknown settings',
      found: () => admin({ prefx: '/a', handler: null }),
      messages: [
        'servers.admin.prefx: is not a setting of a named server. Remedy: remove it, or correct its spelling.',
        'servers.admin.handler: is not a setting of a named server. Remedy: remove it, or correct its spelling.',
      ],
    },
    {
      name: 'must have settings of the same shape as the default server',
      found: () =>
        admin({
          baseUri: 'example.com',
          limits: { errors: 0 },
          profiles: [{ uri: 'x y' }],
          queryFamilies: ['lower'],
          mappers: [{}],
          cacheHeaders: 60,
          sunsetLink: 'https://example.com',
          pagination: 10,
        }),
      messages: [
        "servers.admin.baseUri: is 'example.com'. Remedy: give an absolute URL, baseUri: 'https://example.com', or leave it out.",
        'servers.admin.limits.errors: is 0. Remedy: give a whole number above 0.',
        "servers.admin.profiles[0]: 'x y' is not an absolute URI. Remedy: give the URI that identifies the profile.",
        "servers.admin.queryFamilies: 'lower' has only lowercase letters, and JSON:API reserves such names. Remedy: add an uppercase letter, a digit or a hyphen, such as camelCase.",
        "servers.admin.mappers: the exception mapper 0 has no function 'map'. Remedy: give one with a function 'map'.",
        'servers.admin.cacheHeaders: is 60. Remedy: give an object: { max_age: 60 }.',
        "servers.admin.sunsetLink: is never sent without a sunset. Remedy: add the date: sunset: 'Thu, 31 Dec 2026 23:59:59 GMT'.",
        'servers.admin.pagination: 10 is not a paginator. Remedy: give one, such as numberPage(), or null for none.',
      ],
    },
    {
      name: 'must have a valid host',
      found: () => ['...', 'a:99999', 'a:0', '[]', 'a..b', '-', 'a b'].flatMap((host) => admin({ host })),
      messages: ['...', 'a:99999', 'a:0', '[]', 'a..b', '-', 'a b'].map(
        (host) =>
          `servers.admin.host: '${host}' is not a host. Remedy: give a name without scheme or path: host: 'admin.example.com'.`,
      ),
    },
    ...[
      ['a.example', 'A.example.'],
      ['[::1]', '[0:0::1]'],
      ['a.example:80', 'a.example:080'],
    ].map(([host, other]) => ({
      name: `has another host than the others, however it is spelled: ${other}`,
      found: () => settingFaults({ servers: { admin: { host }, staff: { host: other } } }),
      messages: [
        "servers.staff: has the same host and prefix as the server 'admin'. Remedy: give one of the two another prefix or host: { prefix: '/admin' }.",
      ],
    })),
    {
      name: 'must have a prefix that no extension of another server uses',
      found: () =>
        settingFaults({ extensions: [atomic({ path: '/batches' })], servers: { admin: { prefix: '/batches' } } }),
      messages: [
        "extensions[0]: has the path '/batches', which is the prefix of the server 'admin'. Remedy: give the extension another path, or the server another prefix.",
      ],
    },
    {
      name: 'must be named by each type: an empty list does not mean the default server',
      found: () => albumFaults({ server: [] }),
      messages: [
        "albums.server: is an empty list, so that the type is on no server. Remedy: name 'default', or leave the declaration out of the resources.",
      ],
    },
    {
      name: 'has the date of the default server for its link',
      found: () =>
        settingFaults({
          sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
          servers: { admin: { prefix: '/admin', sunsetLink: 'https://example.com' } },
        }),
      messages: [],
    },
    {
      name: "must declare settings of 'default' once",
      found: () => settingFaults({ maxPageSize: 5, servers: { default: { maxPageSize: 6 } } }),
      messages: [
        "maxPageSize: is also declared as 'servers.default.maxPageSize'. Remedy: leave one of them out: both are of the server 'default'.",
      ],
    },
  ])
})
