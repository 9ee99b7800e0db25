// Declaring
export { defineResource, type ResourceDeclaration } from './declare/resource/define/define-resource.js'
export { defineType, type TypeDeclaration } from './declare/resource/define/define-type.js'
export { resourcesIn } from './declare/resource/define/resources-in.js'
export { model, type Model, type ModelOptions } from './declare/resource/parts/model.js'
export {
  id,
  type Id,
  type IdCodec,
  type IdDeclaration,
  type IdFlag,
  type IdOf,
} from './declare/resource/fields/id-declaration.js'
export { enumeration, type Enumeration } from './declare/resource/fields/enumeration.js'
export { rule, type RuleCatalogue } from './declare/resource/fields/rule.js'
export type { AttributeKit } from './declare/resource/fields/attribute-kit.js'
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
} from './declare/resource/fields/attribute-types.js'
export type { Members, Variants } from './declare/resource/fields/attribute-values.js'
export type {
  CompareOperator,
  Condition,
  Constraint,
  CustomTest,
  Moment,
} from './declare/resource/fields/constraint.js'
// The callbacks of fields, for callbacks outside of a declaration.
export type {
  FillValue,
  ReadValue,
  RequestPredicate,
  RowObject,
  RowPredicate,
  WriteValue,
} from './declare/resource/fields/field-spec.js'
export {
  belongsTo,
  belongsToMany,
  hasMany,
  hasOne,
  morphTo,
  morphToMany,
  type RelationKit,
} from './declare/resource/relations/relation-kit.js'
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
} from './declare/resource/relations/relation-types.js'
export type { IdentifierMeta, RelationSecurity } from './declare/resource/relations/relation-spec.js'
export type { DeprecationOptions } from './declare/resource/parts/deprecation.js'
export type { FilterDeclaration } from './declare/resource/filters/filter-declaration.js'
export type { Filter, FilterByKey, FilterForm } from './declare/resource/filters/filter-types.js'
export type { ComposedFilter, FilterKit } from './declare/resource/filters/filter-kit.js'
export type { CustomFilter } from './declare/resource/filters/filter-spec.js'
export type { SortByKey, SortDeclaration, SortKit } from './declare/resource/sorts/sort-kit.js'
export type { CustomSort } from './declare/resource/sorts/sort-spec.js'
export type { UseCondition } from './declare/resource/request/use-guard.js'
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
} from './declare/pagination/paginator.js'
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
} from './declare/resource/replies/responses.js'
export { type AcceptedReply, reply, type Reply, type RedirectTarget } from './declare/resource/replies/reply.js'
export type { Listener, TypeEventName, TypeEvents } from './declare/resource/events/type-events.js'
export type {
  Draft,
  RelationshipMode,
  RelationshipWorkContext,
  ResourceHooks,
} from './declare/resource/events/hooks.js'
export type { ServingEvent } from './serve/operation/serving-event.js'
export type {
  Action,
  ActionDeclaration,
  ActionKit,
  ActionOptions,
  ActionQuery,
  ActionResponses,
  CollectionActionWork,
  ResourceActionWork,
} from './declare/resource/define/action-kit.js'
export type { ActionInput, ActionMethod, ActionScope } from './declare/resource/actions/compiled-action.js'
export type { SoftDeleteOptions, SoftDeletes } from './declare/resource/parts/soft-deletes.js'
export type { InstantColumn, Version, VersionOptions } from './declare/resource/parts/version.js'
export type { VersionMatch } from './serve/negotiate/preconditions.js'
export type { Abilities } from './declare/resource/policy/abilities.js'
export type {
  CallerRule,
  Policy,
  ServerPolicy,
  SharedPolicy,
  VisibilityRule,
  WriteRule,
} from './declare/resource/policy/policy.js'
export type {
  CallerKit,
  CheckedWrite,
  Decision,
  IncomingValues,
  RowCheck,
  RowRule,
  RuleKit,
  SignedInContext,
} from './declare/resource/policy/rule-kit.js'
export { rowRules } from './declare/resource/policy/rule-kit.js'
export type { CacheDirectives, CacheHeaders } from './declare/resource/parts/cache-headers.js'
export type { OperationKind, RequestContext } from './declare/resource/request/request-context.js'
export type { ResourceMetadata } from './declare/resource/define/resource-settings.js'
export type { JsonSchema } from './declare/resource/parts/json-schema.js'
export type { JsonValue } from './core/util/types.js'

// The compile-time types of a declaration
export type {
  AnyResource,
  CreateAttributes,
  IncludePath,
  ReadAttributes,
  Resource,
  TypeName,
  UpdateAttributes,
} from './declare/resource/define/resource-types.js'
export type { TypeFacts } from './declare/resource/define/type-facts.js'

export type { ApiOf } from './describe/types/api-of.js'

// Serving
export { createServer, type Server, type ServerHandle } from './server/journey/create-server.js'
export type { AccessExplanation, AccessQuestion, ExplainedKey } from './server/explain/access-explanation.js'
export type { ExplainedStatement, ReadExplanation, ReadQuestion } from './server/explain/read-explanation.js'
export type { CostPart, QueryCharge } from './declare/resource/request/query-cost.js'
export type { QueryCostSettings } from './server/assembly/declared/query-cost-settings.js'
export type { HandleOptions } from './server/journey/handle-options.js'
export type { Health, HealthReport } from './server/journey/health.js'
export type { HealthOptions } from './server/journey/health-options.js'
export type { UrlOptions } from './server/journey/server-url.js'
export type { ServerInspection } from './server/assembly/service.js'
export type { Telemetry } from './server/assembly/declared/telemetry.js'
export type { ServerCacheState, ServerStats, ServerStoreStats } from './server/assembly/declared/server-stats.js'
export type { WriteInspection } from './server/assembly/inspect-writes.js'
export type { Limits, NamedServer, ServerSettings } from './server/assembly/declared/server-settings.js'
export type { ServerExtension } from './server/assembly/declared/extension.js'
export { atomic, type AtomicExtension, type AtomicOptions } from './server/atomic/atomic.js'
export {
  countable as countableProfile,
  cursorPagination as cursorPaginationProfile,
  defaultProfiles,
  type Profile,
  relationshipQueries as relationshipQueriesProfile,
} from './declare/profiles/profile.js'
export { BuildError, type BuildFault } from './server/assembly/declared/build-fault.js'
export type { Dispatched, DispatchInput } from './server/journey/dispatch.js'
export type { Handler } from './serve/handler/handler.js'
export type { ActionCall } from './serve/operation/action-call.js'
export type { ExtensionCall } from './serve/operation/extension-call.js'
export type { Operation } from './serve/operation/operation.js'
export type { FilterValue, QueryParameters } from './serve/operation/query-parameters.js'
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
} from './serve/operation/response-value.js'
export type { Identifier } from './declare/resource/parts/identifier.js'
export type { RouteDescription, RouteParameters, ServedPath } from './serve/route/route-description.js'
export type { DescriptionTarget, ExtensionTarget, Target } from './serve/route/target.js'
export type { FetchHandler } from './serve/adapters/fetch.js'
export type { NodeListener } from './serve/adapters/node.js'
export type { ContentCoding } from './core/http/content-coding.js'
export type { HttpRequest } from './core/http/request.js'
export type { HttpHandle, HttpResponse } from './core/http/response.js'

// Retries
export type { CompressionSettings } from './server/assembly/declared/compression-settings.js'
export type { CorsSettings } from './server/assembly/declared/cors-settings.js'
export type { RequestLogEntry, RequestLogger } from './core/http/request-log.js'
export type { OverloadSettings } from './server/assembly/declared/overload-settings.js'
export type { IdempotencySettings } from './server/assembly/declared/idempotency-settings.js'
export type { OpenApiDocument, OpenApiSettings } from './describe/openapi/openapi-settings.js'

// Access
export {
  apiKeys,
  type ApiKeysOptions,
  createApiKey,
  type NewApiKey,
  type StoredApiKey,
} from './serve/access/api-keys.js'
export { authenticate, type AuthenticateOptions } from './serve/access/authenticate.js'
export { rateLimit, type RateLimiter, type RateLimitOptions } from './serve/access/rate-limit.js'
export type { Middleware, MiddlewareContext, Next } from './declare/resource/request/middleware.js'

// Parts of a type that the application implements
export type { Hydrator, IncomingResource } from './declare/resource/fields/hydrator.js'
export type { Caller, Registered } from './declare/resource/request/registered.js'
export type { SerializedResource, Serializer } from './declare/resource/fields/serializer.js'
export { isStoreConflict } from './declare/resource/capabilities/store-conflict.js'
export type { StoredRows, WorkContext } from './declare/resource/events/stored-rows.js'

// Errors
export { fail, failAll, type FailOptions, JsonApiError, type Problem, problem } from './core/errors/json-api-error.js'
export { HttpError, type HttpErrorOptions } from './core/errors/http-error.js'
export { BatchOperationError } from './core/errors/batch-operation-error.js'
export type { ErrorCode } from './core/errors/catalogue.js'
export type { ErrorReply } from './core/errors/checked-reply.js'
export type { ErrorContext } from './core/errors/error-context.js'
export type { ErrorLogEntry, ErrorLogger } from './core/errors/error-log.js'
export type { ErrorSettings } from './core/errors/error-settings.js'
export type { ExceptionMap, ExceptionMapper, MappedException } from './core/errors/exception-mapping.js'
export type { MessageCatalogue, MessageResolver } from './core/errors/messages.js'
