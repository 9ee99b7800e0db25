import { id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { isMemberName } from '../../src/core/document/member-name.js'
import { albumFaults, capabilities, faultsOf, refusals, resource, settingFaults } from './refusals.js'

const data = memoryData()

const boom = () => {
  throw new Error('no luck')
}

describe('member names', () => {
  test.each(['a', 'A9', 'first-name', 'first_name', 'first name', 'é', 'größe', '曲', '😀'])('%o is valid', (name) => {
    expect(isMemberName(name)).toBe(true)
  })

  test.each(['', '-a', 'a-', '_a', ' a', 'a ', 'a.b', 'a+b', '@a', 'a:b', 'a/b', 'a\n', '\ud800'])(
    '%o is invalid',
    (name) => {
      expect(isMemberName(name)).toBe(false)
    },
  )
})

describe('a type', () => {
  refusals([
    {
      name: 'must have a name',
      found: () => faultsOf({ resources: [resource('')], data }),
      messages: ["resources[0]: has no type name. Remedy: give a string: defineResource('albums', …)."],
    },
    {
      name: 'must have a name that is a text',
      found: () => faultsOf({ resources: [resource(Symbol('x'))], data }),
      messages: ["resources[0]: has no type name. Remedy: give a string: defineResource('albums', …)."],
    },
    {
      name: 'must have a name that JSON:API allows',
      found: () => faultsOf({ resources: [resource('al.bums')], data }),
      messages: [
        "al.bums: 'al.bums' is not a type name that JSON:API allows. Remedy: use letters and digits, with hyphens or underscores between them.",
      ],
    },
    {
      name: 'must have a name that is no link of the root document',
      found: () => faultsOf({ resources: [resource('self')], data }),
      messages: [
        "self: is named 'self', as the link of the root document to itself, which also links to each collection. Remedy: use another name.",
      ],
    },
    {
      name: 'must have a path segment that is a text',
      found: () => albumFaults({ uriType: 5 }),
      messages: ["albums.uriType: is 5. Remedy: give a string: uriType: 'albums'."],
    },
    {
      name: 'must have a path segment without slashes',
      found: () => albumFaults({ uriType: 'a/b' }),
      messages: [
        "albums.uriType: 'a/b' cannot be used as a path segment. Remedy: declare a uriType of letters, digits, hyphens, underscores, dots and tildes.",
      ],
    },
    {
      name: 'must have a path segment without escapes',
      found: () => faultsOf({ resources: [resource('größen')], data }),
      messages: [
        "größen.uriType: 'größen' cannot be used as a path segment. Remedy: declare a uriType of letters, digits, hyphens, underscores, dots and tildes.",
      ],
    },
    {
      name: 'must be declared once on a server',
      found: () => faultsOf({ resources: [resource('albums'), resource('albums')], data }),
      messages: [
        "albums: is declared twice on the server 'default'. Remedy: keep one of the two, or give one another type: albums.with({ type: 'records' }).",
      ],
    },
    {
      name: 'must have a unique path segment',
      found: () => faultsOf({ resources: [resource('albums'), resource('records', { uriType: 'albums' })], data }),
      messages: [
        "records.uriType: shares the path segment 'albums' with 'albums' on the server 'default'. Remedy: give one of the two another uriType.",
      ],
    },
    {
      name: 'must have one model, on whichever servers it is',
      found: () =>
        settingFaults({
          servers: { admin: { prefix: '/admin' } },
          resources: [resource('albums'), resource('albums', { server: 'admin', model: model('records') })],
        }),
      messages: [
        "albums.model: uses the model 'records' here and the model 'albums' in another declaration. Remedy: give both declarations one model, or one of them another type.",
      ],
    },
    {
      name: 'must have a valid model',
      found: () => albumFaults({ model: 'albums', readOnly: true }),
      messages: [
        "albums.model: is 'albums'. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
        "albums.provider: is missing, but is required by 'FetchCollection' and 'FetchOne'. Remedy: give the type a provider, or a model that a store under 'data' serves.",
      ],
    },
    {
      name: 'must have a model with a name, a key and a list of columns',
      found: () => albumFaults({ model: { name: 5, key: '', columns: 'id', computedColumns: 'x' } }),
      messages: [
        "albums.model: has the name 5. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
        "albums.model: has the key ''. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
        "albums.model: has columns that are not a list of names. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
        "albums.model: has computed columns that are not a list of names. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
      ],
    },
    {
      name: 'must have a model whose key is a column',
      found: () => albumFaults({ model: model('albums', { columns: ['title'] as never, key: 'id' as never }) }),
      messages: [
        "albums.model: has the key 'id', which is not one of its columns. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
      ],
    },
    {
      name: 'must have an id',
      found: () => albumFaults({ id: undefined }),
      messages: ['albums.id: has no id. Remedy: declare one: id: id().'],
    },
    {
      name: 'must have a valid id',
      found: () => albumFaults({ id: 'id' }),
      messages: ['albums.id: is not an id. Remedy: declare it with id().'],
    },
    {
      name: 'must have one id',
      found: () => faultsOf({ resources: [capabilities('countries', { fields: () => ({ a: id(), b: id() }) })] }),
      messages: ['countries.id: has 2 ids. Remedy: keep one id() and declare the others as attributes.'],
    },
    {
      name: 'must not have unknown members',
      found: () => albumFaults({ atributes: () => ({}) }),
      messages: ['albums.atributes: is not a member of a declaration. Remedy: remove it, or correct its spelling.'],
    },
    {
      name: 'that is a resource must declare attributes',
      found: () => albumFaults({ fields: () => ({}) }),
      messages: ["albums.fields: is not a member of this kind of declaration. Remedy: move it to 'attributes'."],
    },
    {
      name: 'made of capabilities must declare fields',
      found: () => faultsOf({ resources: [capabilities('countries', { attributes: () => ({}) })] }),
      messages: ["countries.attributes: is not a member of this kind of declaration. Remedy: move it to 'fields'."],
    },
  ])
})

describe('the functions of a declaration', () => {
  refusals([
    {
      name: 'attributes must not throw',
      found: () => albumFaults({ attributes: boom }),
      messages: [
        'albums.attributes: the function threw: no luck. Remedy: fix the function: it has to return an object of declarations.',
      ],
    },
    {
      name: 'relations must not throw',
      found: () => albumFaults({ relations: boom }),
      messages: [
        'albums.relations: the function threw: no luck. Remedy: fix the function: it has to return an object of declarations.',
      ],
    },
    {
      name: 'filters must not throw',
      found: () => albumFaults({ filters: boom }),
      messages: [
        'albums.filters: the function threw: no luck. Remedy: fix the function: it has to return an object of declarations.',
      ],
    },
    {
      name: 'sorts must not throw',
      found: () => albumFaults({ sorts: boom }),
      messages: [
        'albums.sorts: the function threw: no luck. Remedy: fix the function: it has to return an object of declarations.',
      ],
    },
    {
      name: 'attributes must return an object',
      found: () => albumFaults({ attributes: () => 5 }),
      messages: [
        'albums.attributes: declares nothing. Remedy: give an object, or a function that returns one: attributes: () => ({}).',
      ],
    },
    {
      name: 'attributes must be synchronous',
      found: () => albumFaults({ attributes: async () => ({}) }),
      messages: ['albums.attributes: returns a promise. Remedy: make the function return the object itself.'],
    },
  ])
})
