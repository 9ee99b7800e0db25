export {
  type BatchMutation,
  createQueries,
  type Queries,
  type QueriesSettings,
} from './tanstack-query/create-queries.js'
export type { Invalidating, Touched } from './tanstack-query/invalidation.js'
export type {
  CachedPage,
  InfiniteOptions,
  PageParam,
  ReadOptions,
  WriteMutation,
} from './tanstack-query/options.js'
export type {
  LinkageVariables,
  AddedVariables,
  RemovedVariables,
  ResourceVariables,
  TypeQueries,
  UpdateVariables,
  WriteVariables,
} from './tanstack-query/type-queries.js'
