import { exports } from './exports.js'
import { fieldsets } from './fieldsets.js'
import { head } from './head.js'
import { inclusion } from './inclusion.js'
import { missing } from './missing.js'
import { negotiation } from './negotiation.js'
import { oddTexts } from './odd-texts.js'
import { pagination } from './pagination.js'
import { parameterNames } from './parameter-names.js'
import { queries } from './queries.js'
import { relationForms } from './relation-forms.js'
import { relationMembers } from './relation-members.js'
import type { Check } from './run.js'
import { sorting } from './sorting.js'
import { unknownParameters } from './unknown-parameters.js'

/** The read-only checks, in the order in which they run. */
export const readChecks: readonly Check[] = Object.freeze([
  negotiation,
  unknownParameters,
  inclusion,
  fieldsets,
  sorting,
  pagination,
  missing,
  head,
  relationForms,
  parameterNames,
  relationMembers,
  queries,
  oddTexts,
  exports,
])
