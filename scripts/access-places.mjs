// @ts-check
/** The access checks in the sources, for `access-mutations.mjs`. Add each new check here. */
import { aggregates } from './access-places/aggregates.mjs'
import { fields } from './access-places/fields.mjs'
import { gates } from './access-places/gates.mjs'
import { reads } from './access-places/reads.mjs'
import { relations } from './access-places/relations.mjs'
import { statements } from './access-places/statements.mjs'
import { transactions } from './access-places/transactions.mjs'
import { uses } from './access-places/uses.mjs'

export const places = Object.freeze([
  ...reads,
  ...fields,
  ...uses,
  ...relations,
  ...gates,
  ...statements,
  ...transactions,
  ...aggregates,
])
