// Declaring
export { defineResource, type ResourceDeclaration } from './resource/define-resource.js'
export { defineType, type TypeDeclaration } from './resource/define-type.js'
export { resourcesIn } from './resource/resources-in.js'
export { model, type Model, type ModelOptions } from './resource/model.js'
export {
  id,
  type Id,
  type IdCodec,
  type IdDeclaration,
  type IdFlag,
  type IdOf,
} from './resource/fields/id-declaration.js'
export { enumeration, type Enumeration } from './resource/fields/enumeration.js'
export { rule, type RuleCatalogue } from './resource/fields/rule.js'
export type { AttributeKit } from './resource/fields/attribute-kit.js'
// Named here so that a consumer who emits declarations can spell the type of an exported resource.
export type {
  BigintAttribute,
  BooleanAttribute,
  EmailAttribute,
  HashAttribute,
  IpAttribute,
  ListAttribute,
  MapAttribute,
  MomentAttribute,
  NumberAttribute,
  ObjectAttribute,
  OneOfAttribute,
  SlugAttribute,
  StringAttribute,
  UrlAttribute,
  UuidAttribute,
} from './resource/fields/attribute-types.js'
export type { Members, Variants } from './resource/fields/attribute-values.js'
export type { CompareOperator, Condition, Constraint, CustomTest, Moment } from './resource/fields/constraint.js'
// The callbacks of fields, for callbacks outside of a declaration.
export type {
  FillValue,
  ReadValue,
  RequestPredicate,
  RowObject,
  RowPredicate,
  WriteValue,
} from './resource/fields/field-spec.js'
export {
  belongsTo,
  belongsToMany,
  hasMany,
  hasOne,
  morphTo,
  morphToMany,
  type RelationKit,
} from './resource/relations/relation-kit.js'
export type {
  BelongsTo,
  BelongsToMany,
  HasMany,
  HasOne,
  MorphTo,
  MorphToMany,
  NoParts,
  RelationFlag,
  RelationParts,
} from './resource/relations/relation-types.js'
export type { IdentifierMeta, RelationSecurity } from './resource/relations/relation-spec.js'
export type { DeprecationOptions } from './resource/deprecation.js'
export type { FilterDeclaration } from './resource/filters/filter-declaration.js'
export type { Filter, FilterByKey, FilterForm } from './resource/filters/filter-types.js'
export type { ComposedFilter, FilterKit } from './resource/filters/filter-kit.js'
export type { CustomFilter } from './resource/filters/filter-spec.js'
export type { SortByKey, SortDeclaration, SortKit } from './resource/sorts/sort-kit.js'
export type { CustomSort } from './resource/sorts/sort-spec.js'
export type { UseCondition } from './resource/use-guard.js'
export {
  type AnyPaginator,
  cursorPage,
  fixedPage,
  numberPage,
  offsetPage,
  type PageKeys,
  pageMenu,
  type PageMenu,
  type PageOptions,
  type Paginator,
} from './pagination/paginator.js'
export {
  accepted,
  type AcceptedResponse,
  actionResource,
  type ActionData,
  type ActionResourceResponse,
  created,
  metaResult,
  noContent,
  ok,
  type ResourceOperation,
  seeOther,
  type SuccessResponse,
} from './resource/responses.js'
export { type AcceptedReply, reply, type Reply, type RedirectTarget } from './resource/reply.js'
export type { Listener, TypeEventName, TypeEvents } from './resource/events/type-events.js'
export type { Draft, RelationshipMode, RelationshipWorkContext, ResourceHooks } from './resource/hooks.js'
export type { ServingEvent } from './operation/serving-event.js'
export type {
  Action,
  ActionDeclaration,
  ActionKit,
  ActionOptions,
  ActionQuery,
  ActionResponses,
  CollectionActionWork,
  ResourceActionWork,
} from './resource/actions/action-kit.js'
export type { ActionInput, ActionMethod, ActionScope } from './resource/actions/compiled-action.js'
export type { SoftDeleteOptions, SoftDeletes } from './resource/soft-deletes.js'
export type { InstantColumn, Version, VersionOptions } from './resource/versions/version.js'
export type { VersionMatch } from './negotiate/preconditions.js'
export type { Abilities } from './resource/abilities.js'
export type {
  CallerRule,
  Policy,
  ServerPolicy,
  SharedPolicy,
  VisibilityRule,
  WriteRule,
} from './resource/policy/policy.js'
export type {
  CallerKit,
  CheckedWrite,
  Decision,
  IncomingValues,
  RowCheck,
  RowRule,
  RuleKit,
  SignedInContext,
} from './resource/policy/rule-kit.js'
export { rowRules } from './resource/policy/rule-kit.js'
export type { CacheDirectives, CacheHeaders } from './resource/cache-headers.js'
export type { OperationKind, RequestContext } from './resource/request-context.js'
export type { ResourceMetadata } from './resource/resource-settings.js'
export type { JsonSchema } from './resource/json-schema.js'
export type { JsonValue } from './util/types.js'

// The compile-time types of a declaration
export type {
  AnyResource,
  CreateAttributes,
  IncludePath,
  ReadAttributes,
  Resource,
  TypeName,
  UpdateAttributes,
} from './resource/resource-types.js'
export type { TypeFacts } from './resource/type-facts.js'

export type { ApiOf } from './contract/api-of.js'

// Serving
export { createServer, type Server, type ServerHandle } from './server/create-server.js'
export type { AccessExplanation, AccessQuestion, ExplainedKey } from './handler/access-explanation.js'
export type { ExplainedStatement, ReadExplanation, ReadQuestion } from './handler/read-explanation.js'
export type { CostPart, QueryCharge } from './resource/query-cost.js'
export type { QueryCostSettings } from './build/declared/query-cost-settings.js'
export type { HandleOptions } from './server/handle-options.js'
export type { Health, HealthReport } from './server/health.js'
export type { HealthOptions } from './server/health-options.js'
export type { UrlOptions } from './server/server-url.js'
export type { ServerInspection } from './build/service.js'
export type { Telemetry } from './build/declared/telemetry.js'
export type { ServerCacheState, ServerStats, ServerStoreStats } from './build/declared/server-stats.js'
export type { WriteInspection } from './build/inspect-writes.js'
export type { Limits, NamedServer, ServerSettings } from './build/declared/server-settings.js'
export type { ServerExtension } from './build/declared/extension.js'
export { atomic, type AtomicExtension, type AtomicOptions } from './atomic/atomic.js'
export {
  countable as countableProfile,
  cursorPagination as cursorPaginationProfile,
  defaultProfiles,
  type Profile,
  relationshipQueries as relationshipQueriesProfile,
} from './profiles/profile.js'
export { BuildError, type BuildFault } from './build/declared/build-fault.js'
export type { Dispatched, DispatchInput } from './server/dispatch.js'
export type { Handler } from './handler/handler.js'
export type { ActionCall } from './operation/action-call.js'
export type { ExtensionCall } from './operation/extension-call.js'
export type { Operation } from './operation/operation.js'
export type { FilterValue, QueryParameters } from './operation/query-parameters.js'
export type {
  LoadedRelationship,
  RelationshipPage,
  ResourceAddress,
  ResourceNode,
  ResourceRows,
  Resources,
  ResponseValue,
  ResultsValue,
  ResultValue,
} from './operation/response-value.js'
export type { Identifier } from './resource/identifier.js'
export type { RouteDescription, RouteParameters, ServedPath } from './route/route-description.js'
export type { DescriptionTarget, ExtensionTarget, Target } from './route/target.js'
export type { FetchHandler } from './adapters/fetch.js'
export type { NodeListener } from './adapters/node.js'
export type { ContentCoding } from './http/content-coding.js'
export type { HttpRequest } from './http/request.js'
export type { HttpHandle, HttpResponse } from './http/response.js'

// Retries
export type { CompressionSettings } from './build/declared/compression-settings.js'
export type { CorsSettings } from './build/declared/cors-settings.js'
export type { RequestLogEntry, RequestLogger } from './http/request-log.js'
export type { OverloadSettings } from './build/declared/overload-settings.js'
export type { IdempotencySettings } from './build/declared/idempotency-settings.js'
export type { OpenApiDocument, OpenApiSettings } from './openapi/openapi-settings.js'

// Access
export { apiKeys, type ApiKeysOptions, createApiKey, type NewApiKey, type StoredApiKey } from './access/api-keys.js'
export { authenticate, type AuthenticateOptions } from './access/authenticate.js'
export { rateLimit, type RateLimiter, type RateLimitOptions } from './access/rate-limit.js'
export type { Middleware, MiddlewareContext, Next } from './resource/middleware.js'

// Parts of a type that the application implements
export type { Hydrator, IncomingResource } from './resource/capabilities/hydrator.js'
export type { Caller, Registered } from './resource/capabilities/registered.js'
export type { SerializedResource, Serializer } from './resource/capabilities/serializer.js'
export { isStoreConflict } from './resource/capabilities/store-conflict.js'
export type { StoredRows, WorkContext } from './resource/capabilities/stored-rows.js'

// Errors
export { fail, failAll, type FailOptions, JsonApiError, type Problem, problem } from './errors/json-api-error.js'
export { HttpError, type HttpErrorOptions } from './errors/http-error.js'
export { BatchOperationError } from './errors/batch-operation-error.js'
export type { ErrorCode } from './errors/catalogue.js'
export type { ErrorReply } from './errors/checked-reply.js'
export type { ErrorContext } from './errors/error-context.js'
export type { ErrorLogEntry, ErrorLogger } from './errors/error-log.js'
export type { ErrorSettings } from './errors/error-settings.js'
export type { ExceptionMap, ExceptionMapper, MappedException } from './errors/exception-mapping.js'
export type { MessageCatalogue, MessageResolver } from './errors/messages.js'
