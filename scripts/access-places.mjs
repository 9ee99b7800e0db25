// @ts-check
/** Every place that asks for an access rule: the table of `access-mutations.mjs`. A new place that asks for a rule belongs here. */
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
])
