import type { WorkContext } from 'ashlar'
import { tablesOf } from '../storage/tables-of.js'

/** Removes an item from libraries and favorites before it is deleted. They refer to several types, so they have no foreign key. */
export function removeReferences(type: 'tracks' | 'albums' | 'artists') {
  return async ({ id }: { readonly id: number }, context: WorkContext): Promise<void> => {
    const db = tablesOf(context)
    await db.deleteFrom('libraryItems').where('itemType', '=', type).where('itemId', '=', id).execute()
    await db.deleteFrom('favorites').where('favoritableType', '=', type).where('favoritableId', '=', id).execute()
  }
}
