import type {
  CreateShortcuts,
  DeleteShortcuts,
  MemberShortcuts,
  Persister,
  UpdateShortcuts,
  WriteShortcuts,
} from '../../resource/capabilities/persister.js'
import { ownShortcuts } from '../../resource/capabilities/own-functions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { StoreListeners } from './store-events.js'

/**
 * Returns the shortcuts of a store for functions that fire its events. A shortcut does nothing for a table with listeners: the
 * framework then writes row by row, in a transaction.
 */
export function observedShortcuts(
  persister: Persister,
  functions: Required<Pick<Persister, keyof WriteShortcuts>>,
  listeners: StoreListeners,
): WriteShortcuts {
  const { create, update, delete: remove, mutateRelationship } = ownShortcuts(persister)
  const isWatched: IsWatched = (type) => listeners.isTypeWatched(type)
  return Object.freeze<WriteShortcuts>({
    ...(create && { create: createShortcuts({ ...create, insteadOf: functions.create }, isWatched) }),
    ...(update && { update: updateShortcuts({ ...update, insteadOf: functions.update }, isWatched) }),
    ...(remove && { delete: deleteShortcuts({ ...remove, insteadOf: functions.delete }, isWatched) }),
    ...(mutateRelationship && {
      mutateRelationship: memberShortcuts(
        { ...mutateRelationship, insteadOf: functions.mutateRelationship },
        listeners,
      ),
    }),
  })
}

type IsWatched = (type: CompiledType) => boolean

function createShortcuts(shortcuts: CreateShortcuts, isWatched: IsWatched): CreateShortcuts {
  const { many, autocommit, autocommitMany } = shortcuts
  return Object.freeze<CreateShortcuts>({
    ...shortcuts,
    ...(many && { many: (type, rows, write) => (isWatched(type) ? null : many(type, rows, write)) }),
    ...(autocommit && {
      autocommit: (type, values, write) => (isWatched(type) ? null : autocommit(type, values, write)),
    }),
    ...(autocommitMany && {
      autocommitMany: (type, rows, write) => (isWatched(type) ? null : autocommitMany(type, rows, write)),
    }),
  })
}

function updateShortcuts(shortcuts: UpdateShortcuts, isWatched: IsWatched): UpdateShortcuts {
  const { autocommit } = shortcuts
  if (autocommit === undefined) return Object.freeze(shortcuts)
  return Object.freeze<UpdateShortcuts>({
    ...shortcuts,
    autocommit: (type, key, values, write) => (isWatched(type) ? null : autocommit(type, key, values, write)),
  })
}

function deleteShortcuts(shortcuts: DeleteShortcuts, isWatched: IsWatched): DeleteShortcuts {
  const { autocommit } = shortcuts
  if (autocommit === undefined) return Object.freeze(shortcuts)
  return Object.freeze<DeleteShortcuts>({
    ...shortcuts,
    autocommit: (type, key, write) => (isWatched(type) ? null : autocommit(type, key, write)),
  })
}

function memberShortcuts(shortcuts: MemberShortcuts, listeners: StoreListeners): MemberShortcuts {
  const { autocommit } = shortcuts
  if (autocommit === undefined) return Object.freeze(shortcuts)
  return Object.freeze<MemberShortcuts>({
    ...shortcuts,
    autocommit: (relation, change, write) => {
      const { storage } = relation
      const isWatched = storage.kind === 'join' && listeners.isWatched(storage.model)
      return isWatched ? false : autocommit(relation, change, write)
    },
  })
}
