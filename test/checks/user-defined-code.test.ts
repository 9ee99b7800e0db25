import { accepted, reply, ok, seeOther } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { albumFaults, faultsOf, refusals, resource } from './refusals.js'

class Reader {
  fetchOne = () => null
  fetchCollection = () => []
  fetchOnes = () => []
}

describe('a provider or persister that decorates that of the store', () => {
  refusals([
    {
      name: 'must have a store',
      found: () =>
        faultsOf({
          resources: [resource('albums', { provider: (store: object) => store, persister: (store: object) => store })],
        }),
      messages: [
        "albums.provider: is a function that takes the provider of a store, but no store has one for this type. Remedy: put a store that serves it under 'data', or give an object with a function 'fetchOne' and, for collections, 'fetchCollection'.",
        "albums.persister: is a function that takes the persister of a store, but no store has one for this type. Remedy: put a store that serves it under 'data', or give an object with the functions 'create', 'update' and 'delete'.",
      ],
    },
    {
      name: 'must be an object with functions',
      found: () => albumFaults({ provider: () => null, persister: async (store: object) => Promise.resolve(store) }),
      messages: [
        "albums.provider: the function returns null, which is not a provider. Remedy: give an object with a function 'fetchOne' and, for collections, 'fetchCollection'.",
        "albums.persister: the function returns an object, which is not a persister. Remedy: give an object with the functions 'create', 'update' and 'delete'.",
      ],
    },
    {
      name: 'must not throw',
      found: () =>
        albumFaults({
          persister: () => {
            throw new Error('no connection')
          },
        }),
      messages: ['albums.persister: the function threw: no connection. Remedy: fix it, it must return a persister.'],
    },
    {
      name: 'must still read collections if they are exposed',
      found: () => albumFaults({ provider: ({ fetchOne }: { fetchOne: unknown }) => ({ fetchOne }) }),
      messages: [
        "albums.provider: has no 'fetchCollection', but 'FetchCollection' is exposed. Remedy: add the function, or list only other operations: operations: ['FetchOne'].",
      ],
    },
    {
      name: 'must have functions',
      found: () => albumFaults({ provider: (store: object) => ({ ...store, fetchCollection: 5 }) }),
      messages: ["albums.provider: has a 'fetchCollection' that is not a function. Remedy: make it a function."],
    },
    {
      name: 'must not have a misspelt function',
      found: () =>
        albumFaults({
          provider: (store: object) => ({ ...store, fetchColection: () => [], asked: () => 1 }),
          persister: (store: object) => ({
            ...store,
            creat: () => ({}),
            mutateRelationships: () => undefined,
            updat: 5,
          }),
        }),
      messages: [
        "albums.provider: has a function 'fetchColection', which is never called. Remedy: rename it to 'fetchCollection', or give it a less similar name.",
        "albums.persister: has a function 'creat', which is never called. Remedy: rename it to 'create', or give it a less similar name.",
        "albums.persister: has a function 'mutateRelationships', which is never called. Remedy: rename it to 'mutateRelationship', or give it a less similar name.",
      ],
    },
    {
      name: 'must have its own functions if it is the instance of a class',
      found: () => albumFaults({ provider: () => new Reader() }),
      messages: [],
    },
  ])
})

describe('a write that is always deferred', () => {
  const jobs = resource('jobs')
  refusals([
    {
      name: 'must have a persister that defers it',
      found: () => albumFaults({ create: accepted('jobs'), update: accepted('jobs') }, jobs),
      messages: [
        'albums.create: has no response but accepted(), and the persister of the store defers no write. Remedy: give the type a persister that defers it, persister: (store) => ({ ...store, create: … }), or add another response.',
        'albums.update: has no response but accepted(), and the persister of the store defers no write. Remedy: give the type a persister that defers it, persister: (store) => ({ ...store, update: … }), or add another response.',
      ],
    },
    {
      name: 'must be deferred by the function of the persister that is called',
      found: () =>
        albumFaults(
          {
            create: accepted('jobs'),
            update: accepted('jobs'),
            persister: (store: object) => ({ ...store, create: () => reply.accepted({}) }),
          },
          jobs,
        ),
      messages: [
        'albums.update: has no response but accepted(), and the persister of the store defers no write. Remedy: give the type a persister that defers it, persister: (store) => ({ ...store, update: … }), or add another response.',
      ],
    },
    {
      name: 'must be of a served operation',
      found: () => albumFaults({ update: accepted('jobs'), operations: ['FetchOne', 'Create'] }, jobs),
      messages: [],
    },
  ])
})

describe('the end of a job', () => {
  refusals([
    {
      name: 'must be known if fetches may redirect to it',
      found: () => albumFaults({ fetchOne: [ok(), seeOther()] }),
      messages: [
        "albums.fetchOne: responds with seeOther(), but declares no location for it. Remedy: declare 'completionLocation', or leave seeOther() out.",
      ],
    },
    {
      name: 'must be declared',
      found: () => albumFaults({ completionLocation: () => null }),
      messages: [
        'albums.completionLocation: is never called: fetchOne has no seeOther(). Remedy: declare fetchOne: [ok(), seeOther()].',
      ],
    },
    {
      name: 'must not be the only response',
      found: () => albumFaults({ completionLocation: () => null, fetchOne: seeOther() }),
      messages: [
        'albums.fetchOne: has no response while the work is in progress. Remedy: declare fetchOne: [ok(), seeOther()].',
      ],
    },
    {
      name: 'must be returned by a function',
      found: () => albumFaults({ completionLocation: '/albums', fetchOne: [ok(), seeOther()] }),
      messages: [
        "albums.completionLocation: is '/albums'. Remedy: give a function that takes a row and returns a location, or null while the work is in progress.",
      ],
    },
  ])

  test('may be determined by an async function', () => {
    const members = { completionLocation: async () => Promise.resolve(null), fetchOne: [ok(), seeOther()] }
    expect(albumFaults(members)).toEqual([])
  })
})

describe('hooks', () => {
  refusals([
    {
      name: 'must be functions of an object',
      found: () => albumFaults({ hooks: () => ({}) }),
      messages: ['albums.hooks: is a function. Remedy: give an object of functions.'],
    },
    {
      name: 'must have known names',
      found: () => albumFaults({ hooks: { beforeSafe: () => {}, toString: 5 } }),
      messages: ['beforeSafe', 'toString'].map(
        (name) =>
          `albums.hooks.${name}: is not a hook. Remedy: correct its name: one of 'beforeSave', 'beforeCreate', 'beforeUpdate', 'beforeDelete', 'beforeRelationshipMutate', 'afterCreate', 'afterUpdate', 'afterSave', 'afterDelete', 'afterRelationshipMutate', 'afterFetchOne', 'afterFetchCollection'.`,
      ),
    },
    {
      name: 'must be callable',
      found: () => albumFaults({ hooks: { beforeSave: 'trim', afterSave: undefined } }),
      messages: ["albums.hooks.beforeSave: is 'trim'. Remedy: give a function, or leave it out."],
    },
  ])

  test('may be left out', () => {
    expect(albumFaults({ hooks: null })).toEqual([])
    expect(albumFaults({ hooks: {} })).toEqual([])
  })
})
