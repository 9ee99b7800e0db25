export { type Client, type ClientSettings, createClient, type SendBatch, type Types } from './client/create-client.js'
export { ClientError, type ErrorObject } from './client/client-error.js'
export type { ErrorCode } from './client/error-code.js'
export type { Contract, TypeName, TypesWith } from './client/contract.js'
export type { Attributes, Identifier, NoFieldsets, ResourceOf } from './client/resource.js'
export type {
  FieldName,
  Filters,
  Includable,
  LinkageQuery,
  PageParameters,
  RequestOptions,
  SortKey,
} from './client/queries.js'
export type { Accepted, Done, Found, MetaOnly, Page } from './client/results.js'
export type {
  BatchOptions,
  ChangedAttributes,
  Changes,
  LocalIdentifier,
  NewAttributes,
  NewResource,
  RawInput,
  WriteOptions,
} from './client/writes.js'
export type { Batch, BatchStep, CreatedStep, StepOptions } from './client/atomic.js'
export type { TypeClient } from './client/type-client.js'
export type { HeaderSource, HeaderValues, RetrySettings } from './client/send-request.js'
export { raw, type RawDocument, type RawRelationship, type RawResource } from './client/read-document.js'
