export { testClient, type TestClient, type TestRequestOptions } from './tools/testing/test-client.js'
export type { TestDocument, TestError, TestResource, TestResponse } from './tools/testing/test-response.js'
export { explainAccess, type ExplainedAccess } from './tools/testing/explain-access.js'
export { documentProblems } from './tools/testing/document-problems.js'
export type { DocumentProblem } from './tools/format/inspection/document-inspection.js'
export { responseProblems } from './tools/testing/response-problems.js'
export { expectErrors } from './tools/testing/expect-errors.js'
export {
  type CountedStatement,
  expectStatements,
  statementCounter,
  type StatementCounter,
} from './tools/testing/statement-counter.js'
export { type StoreCase, storeConformance } from './tools/testing/store-conformance/store-conformance.js'
export { type ConformanceModel, conformanceModels } from './tools/testing/store-conformance/catalogue-models.js'
export { type ConformanceSeeds } from './tools/testing/store-conformance/catalogue-seeds.js'
