import { describe } from 'vitest'
import { refusals, settingFaults } from './refusals.js'

const origins = ['https://app.example.com']
const remedy =
  "give origins without a path, ['https://app.example.com', 'https://*.example.com'], '*' for all, or a function"

describe('cors', () => {
  refusals([
    {
      name: 'must be an object, on each server',
      found: () => settingFaults({ cors: true, servers: { admin: { prefix: '/admin', cors: '*' } } }),
      messages: [
        "cors: is true. Remedy: give an object, { origins: ['https://app.example.com'] }, or false.",
        "servers.admin.cors: is '*'. Remedy: give an object, { origins: ['https://app.example.com'] }, or false.",
      ],
    },
    {
      name: 'must have known options with valid values',
      found: () =>
        settingFaults({
          cors: { credentials: 1, requestHeaders: ['X Total'], exposedHeaders: 'X-Total', maxAge: -1, methods: [] },
        }),
      messages: [
        'cors.credentials: is 1. Remedy: give true or false.',
        "cors.requestHeaders: is a list. Remedy: give a list of header names: ['X-Total'].",
        "cors.exposedHeaders: is 'X-Total'. Remedy: give a list of header names: ['X-Total'].",
        'cors.maxAge: is -1. Remedy: give a whole number of seconds.',
        'cors.methods: is not an option. Remedy: use origins, credentials, requestHeaders, exposedHeaders, maxAge.',
        `cors.origins: is undefined. Remedy: ${remedy}.`,
      ],
    },
    ...['https://app.example.com/', 'app.example.com', 'null', 'https://*', 'https://a.*.example.com', ''].map(
      (origin) => ({
        name: `has no origin '${origin}'`,
        found: () => settingFaults({ cors: { origins: [origin] } }),
        messages: [`cors.origins: is a list. Remedy: ${remedy}.`],
      }),
    ),
    {
      name: 'must not allow credentials for every origin',
      found: () => settingFaults({ cors: { origins: '*', credentials: true } }),
      messages: [
        "cors.credentials: is true, but 'origins' are all: every web page could act for a signed-in user. Remedy: name the origins, or leave credentials out.",
      ],
    },
    {
      name: 'must be declared once',
      found: () => settingFaults({ cors: { origins }, servers: { default: { cors: { origins } } } }),
      messages: [
        "cors: is also declared as 'servers.default.cors'. Remedy: leave one of them out: both are of the server 'default'.",
      ],
    },
    {
      name: 'may name origins with ports and schemes, subdomains, or none',
      found: () => [
        ...settingFaults({ cors: { origins: ['http://localhost:5173', 'https://*.example.com', 'app://music'] } }),
        ...settingFaults({ cors: { origins: [] }, servers: { admin: { prefix: '/admin', cors: false } } }),
      ],
      messages: [],
    },
  ])
})
