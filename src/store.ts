// Reading
export type {
  CollectionCriteria,
  CollectionResult,
  GroupCriteria,
  GroupResult,
  Provider,
  ReadCriteria,
  ReadFunctions,
  RelatedCriteria,
  RelatedResult,
} from './declare/resource/capabilities/provider.js'
export type { QueryColumn, RowCondition } from './declare/resource/querying/row-condition.js'
export type { GroupOrder, RowGroup, RowMeasure } from './declare/resource/querying/row-aggregation.js'
export type { SearchQuery, SearchTerm } from './declare/resource/querying/search-query.js'
export { searchMatcher, type SearchMatcher } from './stores/row-query/search-match.js'
export type { RowOrder } from './declare/resource/querying/row-order.js'
export type { RowWindow } from './declare/resource/querying/row-window.js'
export { type Row, rowSet, type RowSet } from './core/rows/row-set.js'

// Writing
export type {
  AutocommitWrite,
  ColumnValues,
  CreateShortcuts,
  Persister,
  RelationshipChange,
  WriteContext,
  WriteShortcuts,
} from './declare/resource/capabilities/persister.js'
export { type Conflict, type StoreConflict, storeConflict } from './declare/resource/capabilities/store-conflict.js'

// Transactions
export type { Transaction, Transactions } from './declare/resource/request/transactions.js'

// Stores of several types
export type {
  CallerKey,
  IdempotencyStore,
  KeyedResponse,
  KeyedWrite,
  KeyUsage,
} from './stores/common/idempotency-store.js'
export type { DataSource, Inspection, StoreStats } from './stores/common/data-source.js'

// Composite keys
export { keyColumns, keyIn } from './declare/resource/parts/key-columns.js'
export { referenceColumn } from './declare/resource/compiled/relation-link.js'

// Compiled declarations
export type { CompiledType } from './declare/resource/compiled/compiled-type.js'
export type { RelationLink } from './declare/resource/compiled/relation-link.js'
export type { ObservableStore, StoreEvent } from './stores/observe/store-events.js'
