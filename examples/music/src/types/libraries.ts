import { belongsTo, defineResource, id, morphToMany } from 'ashlar'
import { table } from 'ashlar/sql'
import { ownerOnly } from '../access/policies.js'
import { servedByOfTracks } from '../served-by.js'
import type { LibraryItemRow, LibraryRow } from '../tables.js'
import { ownedByCaller } from './owned-by-caller.js'

/** The rows that join libraries and what is in them. */
export const libraryItems = table<LibraryItemRow>('library_items', { key: ['libraryId', 'itemType', 'itemId'] })

export const libraries = defineResource('libraries', {
  model: table<LibraryRow>('libraries'),
  id: id().numeric(),
  relations: {
    owner: belongsTo('users'),
    items: morphToMany(['tracks', 'albums', 'artists'])
      .through('library_items', { owner: 'libraryId', member: 'itemId', memberType: 'itemType' })
      .identifierMeta(servedByOfTracks),
  },
  policy: () => ownerOnly('ownerId'),
  hooks: { beforeCreate: ownedByCaller('ownerId') },
})
