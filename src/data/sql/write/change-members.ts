import type { RelationLink } from '../../../resource/relations/relation-link.js'
import { invariant } from '../../../util/invariant.js'
import { changeJoins } from './change-joins.js'
import { changeKeys } from './change-keys.js'
import type { Mutation } from './member-change.js'
import type { SqlWriting } from './sql-writing.js'

/**
 * Changes the members of a relation, in join rows or in rows of the members. The number of statements does not grow
 * with the members.
 */
export async function changeMembers(writing: SqlWriting, relation: RelationLink, mutation: Mutation): Promise<void> {
  const { storage } = relation
  switch (storage.kind) {
    case 'relatedKey':
      return changeKeys(writing, relation, storage.key, mutation)
    case 'join':
      return changeJoins(writing, relation, storage, mutation)
    case 'ownKey':
    case 'function':
    case 'provider':
      invariant(false, `the SQL store cannot change the members of '${relation.name}', because it does not store them`)
  }
}
