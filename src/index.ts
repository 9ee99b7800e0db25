// Declaring
export { defineResource } from './declare/resource/define/define-resource.js'
export { defineType } from './declare/resource/define/define-type.js'
export { resourcesIn } from './declare/resource/define/resources-in.js'
export { model, type Model } from './declare/resource/parts/model.js'
export { id, type Id, type IdCodec } from './declare/resource/fields/id-declaration.js'
export { enumeration, type Enumeration } from './declare/resource/fields/enumeration.js'
export { rule } from './declare/resource/fields/rule.js'
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
export type { Constraint } from './declare/resource/fields/constraint.js'
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
  RelationParts,
} from './declare/resource/relations/relation-types.js'
export type { Filter } from './declare/resource/filters/filter-types.js'
export type { ComposedFilter, FilterKit } from './declare/resource/filters/filter-kit.js'
export type { CustomFilter } from './declare/resource/filters/filter-spec.js'
export type { SortByKey, SortDeclaration, SortKit } from './declare/resource/sorts/sort-kit.js'
export type { CustomSort } from './declare/resource/sorts/sort-spec.js'
export type { UseCondition } from './declare/resource/request/use-guard.js'
export {
  cursorPage,
  type EstimatedCount,
  fixedPage,
  numberPage,
  offsetPage,
  type PageKeys,
  pageMenu,
  type PageMenu,
  type Paginator,
} from './declare/pagination/paginator.js'
export {
  accepted,
  type AcceptedResponse,
  actionResource,
  type ActionResourceResponse,
  bytes,
  type Bytes,
  created,
  metaResult,
  noContent,
  ok,
  seeOther,
  type SuccessResponse,
} from './declare/resource/replies/responses.js'
export {
  type AcceptedReply,
  type ActionReply,
  type BytesContent,
  type BytesReply,
  type MetaReply,
  type NoContentReply,
  reply,
  type Reply,
  type ResourceReply,
  type SeeOtherReply,
} from './declare/resource/replies/reply.js'
export type { TypeEvents } from './declare/resource/events/type-events.js'
export type { Draft, RelationshipWorkContext, ResourceHooks } from './declare/resource/events/hooks.js'
export type { ServingEvent } from './serve/operation/serving-event.js'
export type {
  Action,
  ActionKit,
  CollectionActionWork,
  ResourceActionWork,
} from './declare/resource/define/action-kit.js'
export type {
  Aggregate,
  AggregateField,
  AggregateKit,
  AggregatePages,
} from './declare/resource/define/aggregate-kit.js'
export type { Policy } from './declare/resource/policy/policy.js'
export type { CheckedWrite, RowCheck, RowRule, RuleKit, SignedInContext } from './declare/resource/policy/rule-kit.js'
export { rowRules } from './declare/resource/policy/rule-kit.js'
export type { RequestContext } from './declare/resource/request/request-context.js'
export type { ExportFormat, ExportOptions } from './declare/resource/parts/export.js'
export type { ResourceMetadata } from './declare/resource/define/resource-settings.js'
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
export type { AccessExplanation } from './server/explain/access-explanation.js'
export type { ReadExplanation } from './server/explain/read-explanation.js'
export type { QueryCharge } from './declare/resource/request/query-cost.js'
export type { Health } from './server/journey/health.js'
export type { ServerInspection } from './server/assembly/service.js'
export type { Telemetry } from './server/assembly/declared/telemetry.js'
export type { ServerStats } from './server/assembly/declared/server-stats.js'
export type { NamedServer, ServerSettings } from './server/assembly/declared/server-settings.js'
export { atomic, type AtomicExtension } from './server/atomic/atomic.js'
export { defaultProfiles, filterTreeProfile, type Profile } from './declare/profiles/profile.js'
export { BuildError } from './server/assembly/declared/build-fault.js'
export type { Handler } from './serve/handler/handler.js'
export type { ActionCall } from './serve/operation/action-call.js'
export type { ExtensionCall } from './serve/operation/extension-call.js'
export type { Operation } from './serve/operation/operation.js'
export type { ResponseValue } from './serve/operation/response-value.js'
export type { Identifier } from './declare/resource/parts/identifier.js'
export type { RouteDescription, RouteParameters } from './serve/route/route-description.js'
export type { FetchHandler } from './serve/adapters/fetch.js'
export type { NodeListener } from './serve/adapters/node.js'
export type { HttpRequest } from './core/http/request.js'
export type { BodyStream, HttpResponse } from './core/http/response.js'

// Retries
export type { RequestLogEntry, RequestLogger } from './core/http/request-log.js'
export type { OpenApiDocument } from './describe/openapi/openapi-settings.js'

// Access
export { apiKeys, createApiKey, type NewApiKey, type StoredApiKey } from './serve/access/api-keys.js'
export { authenticate } from './serve/access/authenticate.js'
export { rateLimit, type RateLimiter } from './serve/access/rate-limit.js'
export type { Middleware, MiddlewareContext, Next } from './declare/resource/request/middleware.js'

// Parts of a type that the application implements
export type { Hydrator, IncomingResource } from './declare/resource/fields/hydrator.js'
export type { Caller, Registered } from './declare/resource/request/registered.js'
export type { SerializedResource, Serializer } from './declare/resource/fields/serializer.js'
export { isStoreConflict } from './declare/resource/capabilities/store-conflict.js'
export type { StoredRows, WorkContext } from './declare/resource/events/stored-rows.js'

// Errors
export { fail, JsonApiError, type Problem, problem } from './core/errors/json-api-error.js'
export { HttpError } from './core/errors/http-error.js'
export type { ErrorCode } from './core/errors/catalogue.js'
export type { ErrorReply } from './core/errors/checked-reply.js'
export type { ErrorContext } from './core/errors/error-context.js'
export type { ErrorLogEntry, ErrorLogger } from './core/errors/error-log.js'
export type { ErrorSettings } from './core/errors/error-settings.js'
export type { ExceptionMapper } from './core/errors/exception-mapping.js'
export type { MessageCatalogue } from './core/errors/messages.js'
