import type { WorkContext } from 'ashlar'
import { tablesOf } from '../storage/tables-of.js'

/** Before something is deleted: no foreign key leads to it from libraries and favorites, which hold several types. */
export function forgetItem(type: 'tracks' | 'albums' | 'artists') {
  return async ({ id }: { readonly id: number }, context: WorkContext): Promise<void> => {
    const db = tablesOf(context)
    await db.deleteFrom('libraryItems').where('itemType', '=', type).where('itemId', '=', id).execute()
    await db.deleteFrom('favorites').where('favoritableType', '=', type).where('favoritableId', '=', id).execute()
  }
}
