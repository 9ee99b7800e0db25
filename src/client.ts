export { type Client, type ClientSettings, createClient, type SendBatch, type Types } from './client/create-client.js'
export { ClientError, type ErrorObject } from './client/client-error.js'
export type { ErrorCode } from './client/error-code.js'
export type { Contract, TypeName, TypesWith } from './client/contract.js'
export type { Attributes, ExportedRow, Identifier, ResourceOf } from './client/resource.js'
export type { FieldName, Filters, Includable, PageParameters, RequestOptions, SortKey } from './client/queries.js'
export type { Accepted, Done, EstimatedTotal, Found, MetaOnly, Page } from './client/results.js'
export type {
  ChangedAttributes,
  Changes,
  LocalIdentifier,
  NewAttributes,
  NewResource,
  WriteOptions,
} from './client/writes.js'
export type { Batch, BatchStep, CreatedStep } from './client/atomic.js'
export type { ChangedLinkage, TypeClient } from './client/type-client.js'
export { raw, type RawResource } from './client/read-document.js'
