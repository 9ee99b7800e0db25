import { abilityNames } from './ability-names.js'
import { actionOptions } from './action-options.js'
import { actionResponses } from './action-responses.js'
import { actionRoutes } from './action-routes.js'
import { actionTypes } from './action-types.js'
import { aggregates } from './aggregates.js'
import { bodyMemory } from './body-memory.js'
import { bounds } from './bounds.js'
import type { BuildRule } from '../declared/build-rule.js'
import { cacheHeaders } from './cache-headers.js'
import { calledFunctions } from './called-functions.js'
import { chargingMiddleware } from './charging-middleware.js'
import { childModifiers } from './child-modifiers.js'
import { columns } from './columns.js'
import { completion } from './completion.js'
import { compression } from './compression.js'
import { composites } from './composites.js'
import { computedValues } from './computed-values.js'
import { cors } from './cors.js'
import { overload } from './overload.js'
import { crossField } from './cross-field.js'
import { validDataSources } from './data-sources.js'
import { declarationFaults } from './declaration-faults.js'
import { declaredServers } from './declared-servers.js'
import { declaredAccess } from './declared-access.js'
import { defaultPolicy } from './default-policy.js'
import { defaultSort } from './default-sort.js'
import { deprecations } from './deprecations.js'
import { deprecationHeaders } from './deprecation-headers.js'
import { distinctTypes } from './distinct-types.js'
import { documentSettings } from './document-settings.js'
import { errorSettings } from './error-settings.js'
import { exposedReads } from './exposed-reads.js'
import { exposedShapes } from './exposed-shapes.js'
import { exposedWrites } from './exposed-writes.js'
import { extensionPaths } from './extension-paths.js'
import { fieldAbilities } from './field-abilities.js'
import { fieldFunctions } from './field-functions.js'
import { filterTargets } from './filter-targets.js'
import { flattenedChains } from './flattened-chains.js'
import { flattenedModifiers } from './flattened-modifiers.js'
import { flattenedWrites } from './flattened-writes.js'
import { customCapabilities } from './custom-capabilities.js'
import { idFunctions } from './id-functions.js'
import { idempotency } from './idempotency.js'
import { includePaths } from './include-paths.js'
import { keyWriters } from './key-writers.js'
import { knownConstraints } from './known-constraints.js'
import { knownHooks } from './known-hooks.js'
import { knownMembers } from './known-members.js'
import { limits } from './limits.js'
import { memberNames } from './member-names.js'
import { generatedIds } from './generated-ids.js'
import { middleware } from './middleware.js'
import { models } from './models.js'
import { momentBounds } from './moment-bounds.js'
import { namedServices } from './named-services.js'
import { oneId } from './one-id.js'
import { oneModel } from './one-model.js'
import { oneWriter } from './one-writer.js'
import { openapi } from './openapi.js'
import { operations } from './operations.js'
import { paginators } from './paginators.js'
import { patterns } from './patterns.js'
import { polymorphicCandidates } from './polymorphic-candidates.js'
import { profiles } from './profiles.js'
import { deferredWrites } from './deferred-writes.js'
import { queryCost } from './query-cost.js'
import { queryFamilies } from './query-families.js'
import { queryKeys } from './query-keys.js'
import { relationOptions } from './relation-options.js'
import { relationSegments } from './relation-segments.js'
import { relationStorage } from './relation-storage.js'
import { relationTargets } from './relation-targets.js'
import { satisfiablePresence } from './satisfiable-presence.js'
import { serializerMembers } from './serializer-members.js'
import { servedOnce } from './served-once.js'
import { secret } from './secret.js'
import { serverAddresses } from './server-addresses.js'
import { serverSettings } from './server-settings.js'
import { settingValues } from './setting-values.js'
import { shadowedTypes } from './shadowed-types.js'
import { softDeletes } from './soft-deletes.js'
import { sortTargets } from './sort-targets.js'
import { successResponses } from './success-responses.js'
import { typeNames } from './type-names.js'
import { typeSegments } from './type-segments.js'
import { uniqueConstraints } from './unique-constraints.js'
import { useConditions } from './use-conditions.js'
import { valueSchemas } from './value-schemas.js'
import { valueSets } from './value-sets.js'
import { versions } from './versions.js'
import { visibility } from './visibility.js'
import { wholeKeys } from './whole-keys.js'
import { writableRelations } from './writable-relations.js'

const settings: readonly BuildRule[] = [
  settingValues,
  limits,
  queryCost,
  middleware,
  chargingMiddleware,
  queryFamilies,
  profiles,
  errorSettings,
  extensionPaths,
  serverAddresses,
  validDataSources,
  serverSettings,
  cors,
  bodyMemory,
  overload,
  compression,
  openapi,
  idempotency,
  secret,
]

const types: readonly BuildRule[] = [
  typeNames,
  typeSegments,
  distinctTypes,
  shadowedTypes,
  declaredServers,
  models,
  oneModel,
  knownMembers,
  declarationFaults,
  memberNames,
]

const serving: readonly BuildRule[] = [
  operations,
  namedServices,
  serializerMembers,
  customCapabilities,
  servedOnce,
  exposedReads,
  exposedWrites,
  exposedShapes,
  successResponses,
  deferredWrites,
  completion,
  knownHooks,
  paginators,
  documentSettings,
  cacheHeaders,
  deprecationHeaders,
  actionOptions,
  actionRoutes,
  actionResponses,
  actionTypes,
  softDeletes,
  versions,
]

const fields: readonly BuildRule[] = [
  oneId,
  idFunctions,
  wholeKeys,
  generatedIds,
  fieldFunctions,
  calledFunctions,
  knownConstraints,
  patterns,
  valueSchemas,
  bounds,
  momentBounds,
  valueSets,
  crossField,
  uniqueConstraints,
  composites,
  childModifiers,
  visibility,
  satisfiablePresence,
  computedValues,
  columns,
  oneWriter,
  keyWriters,
  flattenedChains,
  flattenedModifiers,
  flattenedWrites,
]

const relations: readonly BuildRule[] = [
  relationSegments,
  relationTargets,
  relationStorage,
  writableRelations,
  polymorphicCandidates,
  relationOptions,
  includePaths,
]

const queries: readonly BuildRule[] = [queryKeys, filterTargets, sortTargets, defaultSort, aggregates]

/** Every build rule. A build runs all of them, and reports every fault that they return. */
export const buildRules: readonly BuildRule[] = Object.freeze([
  ...settings,
  ...types,
  ...serving,
  ...fields,
  ...relations,
  ...queries,
  abilityNames,
  defaultPolicy,
  declaredAccess,
  fieldAbilities,
  useConditions,
  deprecations,
])
