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
export { assertDocument, type DocumentExpectation, documentProblems } from './testing/document-problems.js'
export type { DocumentProblem } from './testing/document/inspection.js'
export { type RequestFacts, responseProblems } from './testing/response-problems.js'
export { type ExpectedError, expectErrors } from './testing/expect-errors.js'
