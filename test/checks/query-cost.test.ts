import { hasMany, hasOne, rateLimit } from 'ashlar'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe } from 'vitest'
import { albumFaults, refusals, resource, settingFaults } from './refusals.js'

const members = "one of 'budget', 'expectedRows', 'expectedMembers', 'join', 'count', 'estimate', 'write'"

const limit = rateLimit({ limiter: new RateLimiterMemory({ points: 1, duration: 1 }), unit: 'cost' })
const needsCosts =
  "takes the cost of requests, which the server does not compute without the setting 'queryCost'. " +
  'Remedy: set queryCost: {}, or a budget: queryCost: { budget: 2_000 }.'

describe('queryCost', () => {
  refusals([
    {
      name: 'must be an object or false',
      found: () => settingFaults({ queryCost: 2000 }),
      messages: ['queryCost: is 2000. Remedy: give an object, { budget: 2_000 }, or false for none.'],
    },
    {
      name: 'must have known members, which are numbers',
      found: () =>
        settingFaults({
          queryCost: {
            budget: '5',
            expectedRows: 0,
            expectedMembers: 1.5,
            join: -1,
            count: Infinity,
            write: 'x',
            weight: 1,
          },
        }),
      messages: [
        "queryCost.budget: is '5'. Remedy: give a number, or a function that returns one: ({ caller }) => (caller === null ? 500 : 5_000).",
        'queryCost.expectedRows: is 0. Remedy: give a whole number above 0.',
        'queryCost.expectedMembers: is 1.5. Remedy: give a whole number above 0.',
        'queryCost.join: is -1. Remedy: give a whole number, 0 or more.',
        'queryCost.count: is Infinity. Remedy: give a whole number, 0 or more.',
        "queryCost.write: is 'x'. Remedy: give a whole number, 0 or more.",
        `queryCost.weight: is not a member of queryCost. Remedy: use ${members}.`,
      ],
    },
    {
      name: 'must have a budget that is not awaited',
      found: () => settingFaults({ queryCost: { budget: async () => 5 } }),
      messages: [
        'queryCost.budget: is an async function. Remedy: use a synchronous function: the result is not awaited.',
      ],
    },
    {
      name: 'must have a budget that is a number',
      found: () => settingFaults({ queryCost: { budget: Number.NaN } }),
      messages: [
        'queryCost.budget: is NaN. Remedy: give a number, or a function that returns one: ({ caller }) => (caller === null ? 500 : 5_000).',
      ],
    },
    {
      name: 'may have any of them, or none',
      found: () => [
        ...settingFaults({ queryCost: {} }),
        ...settingFaults({ queryCost: false }),
        ...settingFaults({ queryCost: { budget: Infinity, join: 0, count: 0, write: 0, expectedRows: undefined } }),
      ],
      messages: [],
    },
    {
      name: 'of a named server is checked',
      found: () => settingFaults({ servers: { staff: { prefix: '/staff', queryCost: { budget: -1 } } } }),
      messages: [
        'servers.staff.queryCost.budget: is -1. Remedy: give a number, or a function that returns one: ({ caller }) => (caller === null ? 500 : 5_000).',
      ],
    },
    {
      name: 'must be set if a middleware needs it',
      found: () =>
        settingFaults({ middleware: [limit], servers: { staff: { prefix: '/staff', middleware: [limit] } } }),
      messages: [`middleware[0]: ${needsCosts}`, `servers.staff.middleware[0]: ${needsCosts}`],
    },
    {
      name: 'must not be turned off for a server whose middleware needs it',
      found: () =>
        settingFaults({
          queryCost: {},
          middleware: [limit],
          servers: { staff: { prefix: '/staff', middleware: [limit], queryCost: false } },
        }),
      messages: [`servers.staff.middleware[0]: ${needsCosts}`],
    },
  ])
})

describe('expectedRows and expectedMembers()', () => {
  refusals([
    {
      name: 'must be whole numbers',
      found: () =>
        albumFaults(
          { expectedRows: 0, relations: { parts: hasMany('parts').via('albumId').expectedMembers(2.5) } },
          resource('parts'),
        ),
      messages: [
        'albums.parts: expectedMembers() was given 2.5. Remedy: give a whole number above 0.',
        'albums.expectedRows: is 0. Remedy: give a whole number above 0.',
      ],
    },
    {
      name: 'must be of lists',
      found: () => {
        const one = hasOne('parts').via('albumId') as unknown as { expectedMembers(count: number): unknown }
        return albumFaults({ relations: { part: one.expectedMembers(2) } }, resource('parts'))
      },
      messages: [
        'albums.part: expectedMembers() does not fit hasOne(). Remedy: remove it: there is one member at most.',
      ],
    },
  ])
})
