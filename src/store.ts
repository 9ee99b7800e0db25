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
} from './resource/capabilities/provider.js'
export type {
  ComparisonOperator,
  QueryColumn,
  RowCondition,
  ScopeCondition,
} from './resource/querying/row-condition.js'
export type { OrderStep, RowOrder } from './resource/querying/row-order.js'
export type { RowEdges, RowPosition, RowWindow } from './resource/querying/row-window.js'
export { type Row, rowSet, type RowSet } from './rows/row-set.js'

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
} from './resource/capabilities/persister.js'
export {
  type Conflict,
  isStoreConflict,
  type StoreConflict,
  storeConflict,
} from './resource/capabilities/store-conflict.js'

// Transactions
export type { Transaction, Transactions } from './resource/capabilities/transactions.js'

// Stores of several types
export type { CallerKey, IdempotencyStore, KeyedResponse, KeyedWrite, KeyUsage } from './data/idempotency-store.js'
export type {
  DataSource,
  Inspection,
  InspectionOptions,
  NamedCacheState,
  NamedFinding,
  PoolState,
  StorePositions,
  StoreStats,
} from './data/data-source.js'
export type { DeclarationFault } from './resource/declaration-fault.js'

// Composite keys
export { keyColumns, keyIn } from './resource/key-columns.js'
export { referenceColumn } from './resource/relations/relation-link.js'

// Compiled declarations
export type { CompiledAction } from './resource/actions/compiled-action.js'
export type { CompiledAttribute, CompiledId, CompiledRelation, CompiledType } from './resource/compiled-type.js'
export type { RelationLink, RelationStorage } from './resource/relations/relation-link.js'
export type { ObservableStore, StoreEvent, StoreEventName, StoreListener } from './data/observe/store-events.js'
