// Reading
export type {
  CollectionCriteria,
  CollectionResult,
  CountCriteria,
  CountRelated,
  FetchCollection,
  FetchOne,
  FetchRelated,
  FoundRow,
  ListFacts,
  Provider,
  ReadCriteria,
  ReadFunctions,
  RelatedCriteria,
  RelatedGroup,
  RelatedMember,
  RelatedResult,
  WantedColumns,
} from './declare/resource/capabilities/provider.js'
export type {
  ComparisonOperator,
  QueryColumn,
  RowCondition,
  ScopeCondition,
} from './declare/resource/querying/row-condition.js'
export type { OrderStep, RowOrder } from './declare/resource/querying/row-order.js'
export type { RowEdges, RowPosition, RowWindow } from './declare/resource/querying/row-window.js'
export { type Row, rowSet, type RowSet } from './core/rows/row-set.js'

// Writing
export type {
  AutocommitWrite,
  ColumnValues,
  CreateRow,
  CreateShortcuts,
  DeleteRow,
  DeleteShortcuts,
  JoinChange,
  JoinWrite,
  MutateRelationship,
  MemberKey,
  MemberShortcuts,
  MemberValues,
  Persister,
  RelationshipChange,
  RowReference,
  ShortcutCapabilities,
  UpdateRow,
  UpdateShortcuts,
  WriteContext,
  WriteShortcuts,
} from './declare/resource/capabilities/persister.js'
export {
  type Conflict,
  isStoreConflict,
  type StoreConflict,
  storeConflict,
} from './declare/resource/capabilities/store-conflict.js'

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
export type {
  DataSource,
  Inspection,
  InspectionOptions,
  NamedCacheState,
  NamedFinding,
  PoolState,
  StorePositions,
  StoreStats,
} from './stores/common/data-source.js'
export type { DeclarationFault } from './declare/resource/parts/declaration-fault.js'

// Composite keys
export { keyColumns, keyIn } from './declare/resource/parts/key-columns.js'
export { referenceColumn } from './declare/resource/compiled/relation-link.js'

// Compiled declarations
export type { CompiledAction } from './declare/resource/actions/compiled-action.js'
export type {
  CompiledAttribute,
  CompiledId,
  CompiledRelation,
  CompiledType,
} from './declare/resource/compiled/compiled-type.js'
export type { RelationLink, RelationStorage } from './declare/resource/compiled/relation-link.js'
export type { ObservableStore, StoreEvent, StoreEventName, StoreListener } from './stores/observe/store-events.js'
