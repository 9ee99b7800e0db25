import { reply, defineResource, metaResult, noContent, ok, seeOther } from 'ashlar'
import { album } from './albums.js'

export const misspelt = defineResource('albums', {
  ...album,
  hooks: {
    // refuses: 'beforeSafe' does not exist in type 'ResourceHooks<
    beforeSafe: () => {},
  },
})

export const drafts = defineResource('albums', {
  ...album,
  hooks: {
    beforeSave: (draft) => {
      // refuses: Type 'number' is not assignable to type 'string'.
      draft.title = 5
      // refuses: Property 'titel' does not exist on type 'Draft<
      draft.titel = 'x'
    },
    beforeUpdate: (_draft, original) => {
      // refuses: Cannot assign to 'title' because it is a read-only property.
      original.title = 'x'
    },
  },
})

export const replies = defineResource('albums', {
  ...album,
  hooks: {
    // refuses: is not assignable to type 'Replacement'
    afterCreate: (row) => row,
    // refuses: noContent() only declares the response: return reply.noContent().
    afterUpdate: () => noContent(),
    // refuses: metaResult() only declares the response: return reply.meta().
    afterDelete: async () => metaResult(),
    // refuses: is not assignable to type 'Awaitable<void>'
    beforeCreate: () => reply.noContent(),
  },
})

export const ends = defineResource('albums', {
  ...album,
  fetchOne: [ok(), seeOther()],
  // refuses: Property 'albumId' does not exist on type
  completionLocation: ({ albumId }) => albumId,
})

export const positions = defineResource('albums', {
  ...album,
  fetchOne: [ok(), seeOther()],
  // refuses: Type 'number' is not assignable to type 'string'.
  completionLocation: () => ({ type: 'albums', id: 5 }),
})

export const persisters = defineResource('albums', {
  ...album,
  // refuses: missing the following properties from type 'Persister': update, delete
  persister: (store) => ({ create: (type, values, write) => store.create(type, values, write) }),
})
