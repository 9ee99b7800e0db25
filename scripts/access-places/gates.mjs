// @ts-check
/** The checks of writes before anything is read. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const gates = [
  place('serve/write/prepare-write.ts', 'create, before anything is read', "() => permit('create')", '() => undefined'),
  place(
    'serve/write/prepare-write.ts',
    'update, before anything is read',
    'for (const ability of abilities) requirePermission(served, ability, context)',
    'void abilities',
  ),
  place(
    'serve/write/prepare-write.ts',
    'delete and forceDelete, before anything is read',
    'if (ability !== false) requirePermission(served, ability, call.context)',
  ),
  place(
    'serve/write/prepare-write.ts',
    'restore, before anything is read',
    "const ability = served.type.softDeletes?.abilities.restore ?? 'restore'\n    if (ability !== false) requirePermission(served, ability, context)",
  ),
  place(
    'serve/write/prepare-write.ts',
    'update or mutate of the owner of a relation, before anything is read',
    'if (ability !== null) requirePermission(served, ability, context)',
  ),
  place(
    'server/atomic/upsert-resource.ts',
    'update and create of upserts by a key',
    "for (const ability of ['update', 'create']) requirePermission(served, ability, context)",
  ),
  place(
    'server/atomic/upsert-resource.ts',
    'visible rows of upserts by a key',
    'conditions: [...scopeConditions(served), condition]',
    'conditions: [condition]',
  ),
  place(
    'serve/write/batch-context.ts',
    'create, for several new resources',
    'if (permission === false || permission instanceof RowCheck) return null',
  ),
  place('serve/write/new-resource.ts', 'create, as a function', 'if (result !== true) deny(served, ability, context)'),
]
