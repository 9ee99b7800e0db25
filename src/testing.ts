export { testClient, type TestClient, type TestClientOptions, type TestRequestOptions } from './testing/test-client.js'
export type {
  TestDocument,
  TestError,
  TestHeaders,
  TestIdentifier,
  TestRelationship,
  TestResource,
  TestResponse,
  TestResult,
} from './testing/test-response.js'
export { explainAccess, type ExplainedAccess } from './testing/explain-access.js'
export { assertDocument, documentProblems } from './testing/document-problems.js'
export type { DocumentExpectation } from './format/inspection/inspect-document.js'
export type { DocumentProblem } from './format/inspection/document-inspection.js'
export { type RequestFacts, responseProblems } from './testing/response-problems.js'
export { type ExpectedError, expectErrors } from './testing/expect-errors.js'
export {
  type CountedStatement,
  type ExpectedStatements,
  expectStatements,
  statementCounter,
  type StatementCounter,
  type ExecutedStatement,
} from './testing/statement-counter.js'
export {
  type OpenedStore,
  type StoreCase,
  storeConformance,
  type StoreConformanceOptions,
} from './testing/store-conformance/store-conformance.js'
export type { StoreCapabilities } from './testing/store-conformance/store-capabilities.js'
export {
  type ConformanceColumn,
  type ConformanceModel,
  conformanceModels,
  type ConformanceValue,
} from './testing/store-conformance/catalogue-models.js'
export { type ConformanceSeeds, conformanceSeeds } from './testing/store-conformance/catalogue-seeds.js'
