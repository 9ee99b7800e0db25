import type { AttributeKit } from 'ashlar'
import { accepted, created, metaResult, noContent, numberPage, ok } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, capabilities, faultsOf, refusals, resource, settingFaults } from './refusals.js'

interface Keys {
  readonly title: string
  readonly year: number
  readonly secret: string
  readonly trimmed: string
  readonly code: string
}

const serializer = { members: [], serialize: () => ({ id: '1' }) }
const provider = { fetchOne: () => null }
const countries = (members: object) => faultsOf({ resources: [capabilities('countries', { ...members })] })

const later = async (): Promise<object> => ({})

describe('operations', () => {
  refusals([
    {
      name: 'must be known operations',
      found: () => albumFaults({ operations: ['Fetch', 'Create'] }),
      messages: [
        "albums.operations: 'Fetch' is not an operation. Remedy: use one of 'FetchCollection', 'FetchOne', 'Create', 'Update', 'Delete'.",
      ],
    },
    {
      name: 'must not be named next to readOnly',
      found: () => albumFaults({ operations: ['FetchOne'], readOnly: true }),
      messages: [
        "albums.readOnly: is declared together with 'operations'. Remedy: keep one of the two; readOnly is short for operations: ['FetchCollection', 'FetchOne'].",
      ],
    },
    {
      name: 'that upsert are by the id, or by unique attributes that every caller may read and send',
      found: () =>
        albumFaults({
          upsertBy: ['id', 'missing', 'title', 'year', 'secret', 'trimmed', 'code'],
          attributes: (a: AttributeKit<Keys>) => ({
            title: a.string(),
            year: a.integer().unique(),
            secret: a.string().unique().hidden(),
            trimmed: a
              .string()
              .unique()
              .deserializeUsing((value) => value),
            code: a.string().unique(),
          }),
        }),
      messages: [
        "albums.upsertBy: 'missing' is neither the id nor an attribute. Remedy: name the id, or an attribute with unique(): upsertBy: ['id', 'slug'].",
        "albums.upsertBy: the attribute 'title' is not unique by itself. Remedy: declare it with unique(), without other fields.",
        "albums.upsertBy: the attribute 'year' is no text in a column of the row. Remedy: use an attribute with a text.",
        "albums.upsertBy: the attribute 'secret' is not visible to all callers, or they cannot write it on create. Remedy: use an attribute that every caller may read and send.",
        "albums.upsertBy: the attribute 'trimmed' is converted by functions. Remedy: remove them, or use another attribute.",
      ],
    },
    {
      name: 'that upsert create and update',
      found: () => albumFaults({ upsertBy: 'id', operations: ['FetchOne', 'Create'] }),
      messages: [
        "albums.upsertBy: creates or updates resources, but the operation 'Update' is not served. Remedy: add 'Update' to the operations, or remove upsertBy.",
      ],
    },
    {
      name: 'that upsert need ids of clients',
      found: () => albumFaults({ upsertBy: 'id' }),
      messages: [
        'albums.upsertBy: lets clients choose the id of a new resource, but the id refuses ids of clients. Remedy: declare the id with allowClientId() or requireClientId().',
      ],
    },
    {
      name: 'must have a boolean readOnly',
      found: () => albumFaults({ readOnly: 'yes' }),
      messages: ["albums.readOnly: is 'yes'. Remedy: give true or false."],
    },
  ])
})

describe('serializers and hydrators', () => {
  refusals([
    {
      name: 'that are named must be registered',
      found: () => albumFaults({ serializer: 'albums.serializer' }),
      messages: [
        "albums.serializer: names the service 'albums.serializer', which is not registered. Remedy: register it in the settings: services: { 'albums.serializer': … }.",
      ],
    },
    {
      name: 'must be synchronous for rendering',
      found: () => {
        const late = { members: [], serialize: async () => ({ id: '1' }) }
        const hydrator = { hydrate: async () => ({}) }
        return settingFaults({
          services: { late },
          resources: [resource('albums', { serializer: 'late', hydrator })],
        })
      },
      messages: [
        "albums.serializer: has an async function as 'serialize'. Remedy: use a synchronous function: the result is not awaited.",
      ],
    },
    {
      name: 'must be own members of the services, not of the prototype',
      found: () =>
        settingFaults({
          services: {},
          resources: [resource('albums', { hydrator: 'toString' })],
        }),
      messages: [
        "albums.hydrator: names the service 'toString', which is not registered. Remedy: register it in the settings: services: { 'toString': … }.",
      ],
    },
    {
      name: 'must list their members once',
      found: () => albumFaults({ serializer: { ...serializer, members: ['title', 'year', 'title'] } }),
      messages: [
        "albums.serializer: lists the attribute 'title' twice. Remedy: list it once in the members of the serializer.",
      ],
    },
    {
      name: 'that are registered must have the functions of their kind',
      found: () =>
        settingFaults({
          services: { shape: {} },
          resources: [resource('albums', { serializer: 'shape', hydrator: 'shape' })],
        }),
      messages: [
        "albums.serializer: names the service 'shape', which is not a serializer. Remedy: register an object with a function 'serialize' and a list or an object 'members'.",
        "albums.hydrator: names the service 'shape', which is not a hydrator. Remedy: register an object with a function 'hydrate'.",
      ],
    },
    {
      name: 'that are given must have the functions of their kind',
      found: () => albumFaults({ serializer: {}, hydrator: 5 }),
      messages: [
        "albums.serializer: an object is not a serializer. Remedy: give an object with a function 'serialize' and a list or an object 'members'.",
        "albums.hydrator: 5 is not a hydrator. Remedy: give an object with a function 'hydrate'.",
      ],
    },
    {
      name: 'must exist for the operations of a type made of capabilities',
      found: () =>
        countries({
          provider,
          operations: ['FetchOne', 'Create'],
          persister: { create() {}, update() {}, delete() {} },
        }),
      messages: [
        "countries.serializer: is missing, but is required by 'FetchOne' and 'Create'. Remedy: give one, or declare the type with defineResource(), whose attributes define how it is rendered.",
        "countries.hydrator: is missing, but is required by 'Create'. Remedy: give one, or declare the type with defineResource(), whose attributes define how it is written.",
      ],
    },
  ])
})

describe('providers and persisters', () => {
  refusals([
    {
      name: 'that are given must have the functions of their kind',
      found: () => albumFaults({ provider: {}, persister: { create() {} } }),
      messages: [
        "albums.provider: an object is not a provider. Remedy: give an object with a function 'fetchOne' and, for collections, 'fetchCollection'.",
        "albums.persister: an object is not a persister. Remedy: give an object with the functions 'create', 'update' and 'delete'.",
      ],
    },
    {
      name: 'must have functions',
      found: () => albumFaults({ readOnly: true, provider: { ...provider, fetchCollection: 5 } }),
      messages: ["albums.provider: has a 'fetchCollection' that is not a function. Remedy: make it a function."],
    },
    {
      name: 'must exist for a resource',
      found: () => faultsOf({ resources: [resource('albums')] }),
      messages: [
        "albums.provider: is missing, but is required by 'FetchCollection', 'FetchOne', 'Update' and 'Delete'. Remedy: put a store that serves the model 'albums' under 'data', or give the type a provider.",
        "albums.persister: is missing, but is required by 'Create', 'Update' and 'Delete'. Remedy: give the type a persister, put a store that writes it under 'data', or make it readOnly.",
      ],
    },
    {
      name: 'must exist for a resource without a model',
      found: () => albumFaults({ model: undefined, readOnly: true }),
      messages: [
        "albums.provider: is missing, but is required by 'FetchCollection' and 'FetchOne'. Remedy: give the type a provider, or a model that a store under 'data' serves.",
      ],
    },
    {
      name: 'must exist for each exposed operation',
      found: () => countries({ serializer, operations: ['FetchOne', 'Delete'] }),
      messages: [
        "countries.provider: is missing, but is required by 'FetchOne' and 'Delete'. Remedy: give the type a provider, or a model that a store under 'data' serves.",
        "countries.persister: is missing, but is required by 'Delete'. Remedy: give the type a persister, put a store that writes it under 'data', or make it readOnly.",
      ],
    },
    {
      name: 'must read collections that are exposed',
      found: () => countries({ serializer, provider, operations: ['FetchCollection', 'FetchOne'] }),
      messages: [
        "countries.provider: has no 'fetchCollection', but 'FetchCollection' is exposed. Remedy: add the function, or list only other operations: operations: ['FetchOne'].",
      ],
    },
    { name: 'are not needed by a type that serves nothing', found: () => countries({}), messages: [] },
  ])
})

describe('success responses', () => {
  refusals([
    {
      name: 'must not be empty',
      found: () => albumFaults({ create: [] }),
      messages: ['albums.create: has no response. Remedy: name one, or leave it out for the default.'],
    },
    {
      name: 'must be responses',
      found: () => albumFaults({ update: 200 }),
      messages: ['albums.update: 200 is not a response. Remedy: use ok(), noContent(), accepted().'],
    },
    {
      name: 'must fit their operation',
      found: () => albumFaults({ create: ok(), delete: [noContent(), created()] }),
      messages: [
        'albums.create: cannot respond with ok(). Remedy: use created(), noContent(), accepted().',
        'albums.delete: cannot respond with created(). Remedy: use noContent(), metaResult().',
      ],
    },
    {
      name: 'must have distinct statuses',
      found: () => albumFaults({ delete: [metaResult(), metaResult()] }),
      messages: ['albums.delete: has two responses with the status 200. Remedy: keep one of them.'],
    },
    {
      name: 'must be deferred by one response',
      found: () =>
        albumFaults(
          { create: [created(), accepted('jobs'), accepted('imports')] },
          resource('jobs'),
          resource('imports'),
        ),
      messages: ['albums.create: has two responses with the status 202. Remedy: keep one of them.'],
    },
    {
      name: 'must name a declared job type',
      found: () => albumFaults({ create: [created(), accepted('jobs')] }),
      messages: [
        "albums.create: accepted('jobs') names a type that the server 'default' does not have. Remedy: declare the job type there, or name one that is declared.",
      ],
    },
    {
      name: 'must name a job type of the same server',
      found: () =>
        settingFaults({
          servers: { admin: { prefix: '/admin' } },
          resources: [
            resource('albums', { create: [created(), accepted('jobs')] }),
            resource('jobs', { server: 'admin' }),
          ],
        }),
      messages: [
        "albums.create: accepted('jobs') names a type that the server 'default' does not have. Remedy: declare the job type there, or name one that is declared.",
      ],
    },
  ])
})

describe('the paginator of a type', () => {
  refusals([
    {
      name: 'must be a paginator',
      found: () => albumFaults({ pagination: 'page' }),
      messages: [
        "albums.pagination: 'page' is not a paginator. Remedy: give one, such as numberPage(), or null for none.",
      ],
    },
    {
      name: 'may be a function that returns one',
      found: () => albumFaults({ pagination: () => numberPage({ size: 0.5 }) }),
      messages: ['albums.pagination: has the page size 0.5. Remedy: give a whole number above 0.'],
    },
    {
      name: 'must estimate from a number of rows on',
      found: () => albumFaults({ pagination: numberPage().estimable({ exactUpTo: 0, underRules: 1 as never }) }),
      messages: [
        'albums.pagination: has estimable() with exactUpTo 0. Remedy: give a whole number from 1 to 1000000.',
        'albums.pagination: has estimable() with underRules 1. Remedy: give true or false.',
      ],
    },
    {
      name: 'must read the count and its other values by different keys',
      found: () => albumFaults({ pagination: numberPage({ keys: { size: 'count' } }).estimable() }),
      messages: [
        "albums.pagination: gives two page keys the name 'count'. Remedy: give each page key a different name.",
      ],
    },
    {
      name: 'must be made by a function that does not throw',
      found: () => albumFaults({ pagination: (given: { missing: () => unknown }) => given.missing() }),
      messages: [
        'albums.pagination: the function threw: given.missing is not a function. Remedy: return a paginator, or null.',
      ],
    },
  ])
})

describe('settings of documents', () => {
  refusals([
    {
      name: 'must have the expected shape',
      found: () =>
        albumFaults({
          countable: 1,
          selfLink: 'no',
          scope: null,
          objectType: 'albums',
          meta: {},
          links: {},
          maxIncludeDepth: 1.5,
          linkage: 'never',
          allowedIncludePaths: 'artist',
          defaultIncludes: 5,
          defaultSort: [5],
          tags: ['Catalog', 5],
          description: 5,
        }),
      messages: [
        'albums.countable: is 1. Remedy: give true or false.',
        "albums.selfLink: is 'no'. Remedy: give true or false.",
        "albums.scope: is null. Remedy: give a function that returns a filter or null: (context, f) => f.where('public').fixed(true).",
        "albums.objectType: is 'albums'. Remedy: give a function that takes a row and returns a type or null.",
        'albums.meta: is an object. Remedy: give a function that takes a row.',
        'albums.links: is an object. Remedy: give a function that takes a row.',
        'albums.maxIncludeDepth: is 1.5. Remedy: give a whole number, or null for no limit.',
        "albums.linkage: is 'never'. Remedy: choose 'always' or 'whenLoaded'.",
        "albums.allowedIncludePaths: is 'artist'. Remedy: give a list of paths, ['artist', 'tracks.album'], or null for all.",
        "albums.defaultIncludes: is 5. Remedy: give a list of relation names, ['artist'], or a function that takes a row.",
        "albums.defaultSort: contains an entry that is not a string. Remedy: give a list of sort keys: ['-releasedAt'].",
        "albums.tags: contains an entry that is not a string. Remedy: give a list of strings: ['Catalog'].",
        'albums.description: is 5. Remedy: give a string.',
      ],
    },
    {
      name: 'must be returned synchronously',
      found: () => {
        return albumFaults({ scope: later, objectType: later, meta: later, links: later, defaultIncludes: later })
      },
      messages: [
        'albums.scope: is an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.objectType: is an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.meta: is an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.links: is an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.defaultIncludes: is an async function. Remedy: use a synchronous function: the result is not awaited.',
      ],
    },
  ])
})

describe('cache headers', () => {
  refusals([
    {
      name: 'must be an object',
      found: () => albumFaults({ cacheHeaders: 60 }),
      messages: ['albums.cacheHeaders: is 60. Remedy: give an object: { max_age: 60 }.'],
    },
    {
      name: 'must be known directives',
      found: () => albumFaults({ cacheHeaders: { maxAge: 60 } }),
      messages: [
        "albums.cacheHeaders.maxAge: is not a cache directive. Remedy: use one of 'max_age', 's_maxage', 'public', 'private', 'no_cache', 'must_revalidate', 'vary', 'operations'.",
      ],
    },
    {
      name: 'must have values that directives can have',
      found: () => albumFaults({ cacheHeaders: { max_age: -1, s_maxage: '60', public: 1, vary: 'Accept Language' } }),
      messages: [
        'albums.cacheHeaders.max_age: is -1. Remedy: give a whole number of seconds, 0 or more.',
        "albums.cacheHeaders.s_maxage: is '60'. Remedy: give a whole number of seconds, 0 or more.",
        'albums.cacheHeaders.public: is 1. Remedy: give true or false.',
        "albums.cacheHeaders.vary: is 'Accept Language'. Remedy: give header names: vary: ['Accept-Language'].",
      ],
    },
    {
      name: 'must be for known reads',
      found: () => albumFaults({ cacheHeaders: { operations: { index: {} } } }),
      messages: [
        "albums.cacheHeaders.operations.index: is not a kind of read. Remedy: use one of 'collection', 'read', 'related', 'relationship'.",
      ],
    },
    {
      name: 'must be directives for each read too',
      found: () => albumFaults({ cacheHeaders: { operations: { read: { age: 1 }, related: 5 } } }),
      messages: [
        "albums.cacheHeaders.operations.read.age: is not a cache directive. Remedy: use one of 'max_age', 's_maxage', 'public', 'private', 'no_cache', 'must_revalidate', 'vary'.",
        'albums.cacheHeaders.operations.related: is 5. Remedy: give an object: { max_age: 60 }.',
      ],
    },
    {
      name: 'must be for reads by name',
      found: () => albumFaults({ cacheHeaders: { operations: 5 } }),
      messages: [
        "albums.cacheHeaders.operations: is 5. Remedy: give an object keyed by one of 'collection', 'read', 'related', 'relationship'.",
      ],
    },
  ])
})

describe('deprecation headers', () => {
  refusals([
    {
      name: 'must be on one line',
      found: () => albumFaults({ deprecation: 'true\r\nSet-Cookie: a=b' }),
      messages: [
        "albums.deprecation: 'true\\r\\nSet-Cookie: a=b' cannot be sent as a header. Remedy: give true, or a string on one line.",
      ],
    },
    {
      name: 'must have characters of one byte',
      found: () => albumFaults({ sunset: 'в четверг' }),
      messages: [
        "albums.sunset: 'в четверг' cannot be sent as a header. Remedy: give an HTTP date: 'Thu, 31 Dec 2026 23:59:59 GMT'.",
      ],
    },
    {
      name: 'must link to a URL',
      found: () => albumFaults({ sunset: 'soon', sunsetLink: 'https://a.org/>; rel="x' }),
      messages: [
        "albums.sunsetLink: 'https://a.org/>; rel=\"x' cannot be sent as a link. Remedy: give a URL: 'https://example.com/sunset'.",
      ],
    },
    {
      name: 'must not have a link without a date',
      found: () => albumFaults({ sunsetLink: 'https://a.org/' }),
      messages: [
        "albums.sunsetLink: is never sent without a sunset. Remedy: add the date: sunset: 'Thu, 31 Dec 2026 23:59:59 GMT'.",
      ],
    },
    {
      name: 'must be texts',
      found: () => albumFaults({ deprecation: 5, sunset: new Date(0) }),
      messages: [
        'albums.deprecation: 5 cannot be sent as a header. Remedy: give true, or a string on one line.',
        "albums.sunset: a date cannot be sent as a header. Remedy: give an HTTP date: 'Thu, 31 Dec 2026 23:59:59 GMT'.",
      ],
    },
  ])
})
