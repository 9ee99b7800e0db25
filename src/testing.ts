export {
  testClient,
  type TestClient,
  type TestClientOptions,
  type TestRequestOptions,
} from './tools/testing/test-client.js'
export type {
  TestDocument,
  TestError,
  TestHeaders,
  TestIdentifier,
  TestRelationship,
  TestResource,
  TestResponse,
  TestResult,
} from './tools/testing/test-response.js'
export { explainAccess, type ExplainedAccess } from './tools/testing/explain-access.js'
export { assertDocument, documentProblems } from './tools/testing/document-problems.js'
export type { DocumentExpectation } from './tools/format/inspection/inspect-document.js'
export type { DocumentProblem } from './tools/format/inspection/document-inspection.js'
export { type RequestFacts, responseProblems } from './tools/testing/response-problems.js'
export { type ExpectedError, expectErrors } from './tools/testing/expect-errors.js'
export {
  type CountedStatement,
  type ExpectedStatements,
  expectStatements,
  statementCounter,
  type StatementCounter,
  type ExecutedStatement,
} from './tools/testing/statement-counter.js'
export {
  type OpenedStore,
  type StoreCase,
  storeConformance,
  type StoreConformanceOptions,
} from './tools/testing/store-conformance/store-conformance.js'
export type { StoreCapabilities } from './tools/testing/store-conformance/store-capabilities.js'
export {
  type ConformanceColumn,
  type ConformanceModel,
  conformanceModels,
  type ConformanceValue,
} from './tools/testing/store-conformance/catalogue-models.js'
export { type ConformanceSeeds, conformanceSeeds } from './tools/testing/store-conformance/catalogue-seeds.js'
