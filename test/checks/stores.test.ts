import { DatabaseSync } from '@photostructure/sqlite'
import { memoryData } from 'ashlar/memory'
import { sqlData } from 'ashlar/sql'
import { describe } from 'vitest'
import { refusals, resource, settingFaults } from './refusals.js'

describe('data sources', () => {
  const none = { name: 'odd', provider: () => null, persister: () => null, transactions: null }
  refusals([
    {
      name: 'must be data sources',
      found: () => settingFaults({ data: {} }),
      messages: [
        'data: an object is not a data source. Remedy: give a store, such as memoryData(): an object with the functions provider and persister.',
        "albums.provider: is missing, but is required by 'FetchCollection', 'FetchOne', 'Update' and 'Delete'. Remedy: put a store that serves the model 'albums' under 'data', or give the type a provider.",
        "albums.persister: is missing, but is required by 'Create', 'Update' and 'Delete'. Remedy: give the type a persister, put a store that writes it under 'data', or make it readOnly.",
      ],
    },
    {
      name: 'must be data sources, each of them',
      found: () => settingFaults({ data: [memoryData(), 5] }),
      messages: [
        'data[1]: 5 is not a data source. Remedy: give a store, such as memoryData(): an object with the functions provider and persister.',
      ],
    },
    {
      name: 'in memory must not have rows under a misspelt name',
      found: () => settingFaults({ data: memoryData({ album: [{ id: 1 }] }) }),
      messages: [
        "data: has rows of 'album', which no type uses, and none of 'albums'. Remedy: rename them: memoryData({ albums: […] }).",
      ],
    },
    {
      name: 'in memory may have rows that no type uses',
      found: () => settingFaults({ data: memoryData({ album: [{ id: 1 }], albums: [], invoices: [{ id: 1 }] }) }),
      messages: [],
    },
    {
      name: 'must not throw when a provider is requested',
      found: () =>
        settingFaults({
          data: [
            memoryData(),
            {
              ...none,
              provider: () => {
                throw new Error('no connection')
              },
            },
          ],
        }),
      messages: [
        "data[1]: provider() threw for 'albums': no connection. Remedy: return a provider, or null for a type that the store does not serve.",
      ],
    },
    {
      name: 'must return persisters',
      found: () => settingFaults({ data: [memoryData(), { ...none, persister: () => ({}) }] }),
      messages: [
        "data[1]: persister() returns an object for 'albums', which is not a persister. Remedy: return a persister, or null for a type that the store does not serve.",
      ],
    },
    {
      name: 'must list known types',
      found: () => settingFaults({ data: memoryData({}, { types: ['albums', 'albmus'] }) }),
      messages: ["data: lists the unknown type 'albmus'. Remedy: list some of 'albums'."],
    },
    {
      name: 'must list names of types',
      found: () => settingFaults({ data: { ...memoryData(), types: 'albums' } }).slice(0, 1),
      messages: [
        'data: an object is not a data source. Remedy: give a store, such as memoryData(): an object with the functions provider and persister.',
      ],
    },
    {
      name: 'must serve each type once, if they have no lists',
      found: () => settingFaults({ data: [memoryData(), memoryData()] }),
      messages: [
        "albums.provider: is offered by several stores: 'memory' (data[0]), 'memory' (data[1]). Remedy: list the type in the option 'types' of only one of them, or give the stores different priorities.",
      ],
    },
    {
      name: 'must serve each type once, if they have lists',
      found: () => {
        const data = [memoryData({}, { types: ['albums'] }), { ...memoryData(), types: ['albums'], name: 'other' }]
        return settingFaults({ data: [...data, memoryData()] })
      },
      messages: [
        "albums.provider: is offered by several stores: 'memory' (data[0]), 'other' (data[1]). Remedy: list the type in the option 'types' of only one of them, or give the stores different priorities.",
      ],
    },
    {
      name: 'must write each type once, also one with its own provider',
      found: () => {
        const provider = { fetchOne: () => null, fetchCollection: () => [] }
        return settingFaults({
          resources: [resource('albums', { provider })],
          data: [memoryData(), memoryData()],
        })
      },
      messages: [
        "albums.persister: is offered by several stores: 'memory' (data[0]), 'memory' (data[1]). Remedy: list the type in the option 'types' of only one of them, or give the stores different priorities.",
      ],
    },
    {
      name: 'serve each type once, unless their priority differs',
      found: () => settingFaults({ data: [memoryData(), { ...memoryData(), priority: 1 }] }),
      messages: [],
    },
    {
      name: 'must serve each type',
      found: () =>
        settingFaults({
          resources: [resource('albums'), resource('labels', { readOnly: true })],
          data: memoryData({}, { types: ['albums'] }),
        }),
      messages: [
        "labels.provider: is missing, but is required by 'FetchCollection' and 'FetchOne'. Remedy: list the type in the option 'types' of a store, or give the type a provider.",
      ],
    },
    {
      name: 'must serve the types that they list',
      found: () =>
        settingFaults({
          resources: [resource('albums', { readOnly: true })],
          data: sqlData(new DatabaseSync(':memory:'), { types: ['albums'] }),
        }),
      messages: [
        "albums.provider: is missing, but is required by 'FetchCollection' and 'FetchOne'. Remedy: the store 'sqlite' lists the type, but has no rows for its model: give the type a model that this store serves.",
      ],
    },
  ])
})

const cannotStore = (server: string): string =>
  `albums.persister: cannot store responses for the setting 'idempotency' of the server '${server}'. Remedy: put the type into a store that can, such as memoryData() or sqlData(), or on a server without the setting.`

describe('idempotency', () => {
  const { idempotency: _idempotency, ...withoutResponses } = memoryData()
  refusals([
    {
      name: 'must be a boolean or an object, on each server',
      found: () => settingFaults({ idempotency: 'yes', servers: { admin: { prefix: '/admin', idempotency: 1 } } }),
      messages: [
        "idempotency: is 'yes'. Remedy: give true, or an object: { expiresAfter: 86_400 }.",
        'servers.admin.idempotency: is 1. Remedy: give true, or an object: { expiresAfter: 86_400 }.',
      ],
    },
    {
      name: 'must have known options with valid values',
      found: () => settingFaults({ idempotency: { expiresAfter: 0.5, maxKeys: 0, callerKey: 'id', expires: 5 } }),
      messages: [
        'idempotency.expiresAfter: is 0.5. Remedy: give a whole number of seconds above 0.',
        'idempotency.maxKeys: is 0. Remedy: give a whole number of keys above 0.',
        "idempotency.callerKey: is 'id'. Remedy: give a function: callerKey: (caller) => caller.id.",
        'idempotency.expires: is not an option. Remedy: use expiresAfter, maxKeys, callerKey.',
      ],
    },
    {
      name: 'must be declared once',
      found: () => settingFaults({ idempotency: true, servers: { default: { idempotency: true } } }),
      messages: [
        "idempotency: is also declared as 'servers.default.idempotency'. Remedy: leave one of them out: both are of the server 'default'.",
      ],
    },
    {
      name: 'needs a store that can store responses',
      found: () => settingFaults({ idempotency: true, data: withoutResponses }),
      messages: [cannotStore('default')],
    },
    {
      name: 'needs transactions of that store',
      found: () =>
        settingFaults({ servers: { default: { idempotency: {} } }, data: { ...memoryData(), transactions: null } }),
      messages: [cannotStore('default')],
    },
    {
      name: 'needs no such store for types that are only read, or are on another server',
      found: () => [
        ...settingFaults({
          idempotency: true,
          data: withoutResponses,
          resources: [resource('albums', { readOnly: true })],
        }),
        ...settingFaults({ servers: { admin: { prefix: '/admin', idempotency: true } }, data: withoutResponses }),
        ...settingFaults({ idempotency: false, data: withoutResponses }),
      ],
      messages: [],
    },
  ])
})
