export {
  type BatchMutation,
  createQueries,
  type Queries,
  type QueriesSettings,
} from './client/tanstack-query/create-queries.js'
export type { Invalidating, Touched } from './client/tanstack-query/invalidation.js'
export type {
  CachedPage,
  InfiniteOptions,
  PageParam,
  ReadOptions,
  WriteMutation,
} from './client/tanstack-query/options.js'
export type {
  LinkageVariables,
  AddedVariables,
  RemovedVariables,
  ResourceVariables,
  TypeQueries,
  UpdateVariables,
  WriteVariables,
} from './client/tanstack-query/type-queries.js'
