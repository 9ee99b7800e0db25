import { belongsTo, defineResource, id, morphToMany } from 'ashlar'
import { table } from 'ashlar/sql'
import { callerIn } from '../access/caller.js'
import { ownerOnly } from '../access/policies.js'
import { servedByOfTracks } from '../served-by.js'
import type { LibraryItemRow, LibraryRow } from '../tables.js'

/** The join rows of libraries and their items. */
export const libraryItems = table<LibraryItemRow>('library_items', { key: ['libraryId', 'itemType', 'itemId'] })

export const libraries = defineResource('libraries', {
  description: 'The tracks, albums and artists that a user has collected.',
  model: table<LibraryRow>('libraries'),
  id: id().numeric(),
  relations: {
    owner: belongsTo('users'),
    items: morphToMany(['tracks', 'albums', 'artists'])
      .through('library_items', { owner: 'libraryId', member: 'itemId', memberType: 'itemType' })
      .identifierMeta(servedByOfTracks),
  },
  policy: () => ownerOnly('ownerId'),
  defaults: (context) => ({ ownerId: callerIn(context)?.id ?? null }),
})
