import type { ContractRule } from './compare/contract-rule.js'
import { aggregates } from './rules/aggregates.js'
import { bodies } from './rules/bodies.js'
import { counts } from './rules/counts.js'
import { errorCodes } from './rules/error-codes.js'
import { filters } from './rules/filters.js'
import { ids } from './rules/ids.js'
import { includes } from './rules/includes.js'
import { limits } from './rules/limits.js'
import { linkage } from './rules/linkage.js'
import { members } from './rules/members.js'
import { operations } from './rules/operations.js'
import { pages } from './rules/pages.js'
import { parameters } from './rules/parameters.js'
import { responses } from './rules/responses.js'
import { security } from './rules/security.js'
import { service } from './rules/service.js'
import { sorts } from './rules/sorts.js'
import { statuses } from './rules/statuses.js'
import { texts } from './rules/texts.js'
import { types } from './rules/types.js'

/** All rules, in the order of their findings. */
export const contractRules: readonly ContractRule[] = Object.freeze([
  service,
  security,
  limits,
  types,
  operations,
  ids,
  members,
  filters,
  sorts,
  includes,
  counts,
  linkage,
  pages,
  aggregates,
  parameters,
  bodies,
  statuses,
  responses,
  errorCodes,
  texts,
])
