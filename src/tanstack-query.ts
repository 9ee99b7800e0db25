export { type BatchMutation, createQueries, type Queries } from './client/tanstack-query/create-queries.js'
export type { CachedPage, InfiniteOptions, ReadOptions, WriteMutation } from './client/tanstack-query/options.js'
export type {
  LinkageVariables,
  AddedVariables,
  RemovedVariables,
  ResourceVariables,
  TypeQueries,
  UpdateVariables,
  WriteVariables,
} from './client/tanstack-query/type-queries.js'
