import { type RuleChapter, rule } from './service-rule.js'

/** The rules of types and their operations. */
export const declarationRules: readonly RuleChapter[] = [
  {
    title: 'The service',
    rules: [
      rule(
        'Each declared type has endpoints to read and write its resources and relationships.',
        'server/assembly/serve-types.ts',
        'spec/service-overview',
        'a resource is created, changed and deleted, and each step can be read back',
      ),
      rule(
        'A request passes negotiation, the body, the route, one operation, the handler and the renderer, in this order.',
        'server/journey/journey.ts',
        'spec/service-overview',
        'the media types (415, 406) are checked before the query and the body (400)',
      ),
      rule(
        'There are ten kinds of operations. Method and target choose one.',
        'serve/operation/operation.ts',
        'spec/operations',
        '1. %s of the target gives one kind of read',
      ),
      rule(
        'There are six kinds of responses, and a handler returns one.',
        'serve/operation/response-value.ts',
        'spec/operations',
        'may return identifiers, and errors',
      ),
      rule(
        'A service may have several named servers. A type is served by one or more of them.',
        'server/assembly/declared/settings-of-server.ts',
        'spec/service-overview',
        'each type is served under the prefix of its servers, and nowhere else',
      ),
      rule(
        'A program can dispatch an operation without HTTP, and gets the response before it is rendered.',
        'server/journey/dispatch.ts',
        'spec/operations',
        'returns the unrendered response value',
      ),
      rule(
        'Each server has an OpenAPI document, at a route with a fixed name.',
        'describe/openapi/openapi-document.ts',
        'openapi/serving',
        'have names and URLs',
      ),
    ],
  },
  {
    title: 'Resource types',
    rules: [
      rule(
        '`type` is the member `type` of each document. `uriType` is the path segment, and route names do not depend on it.',
        'serve/route/route-names.ts',
        'spec/route-registration',
        'are named after the type if the URL segment is another',
      ),
      rule(
        'A type has exactly one id. Otherwise the build fails.',
        'server/assembly/checks/one-id.ts',
        'spec/capabilities',
        'zero or two ids is a build-time failure',
      ),
      rule(
        'Default includes are a function of the object, and none by default.',
        'serve/read/plan/default-inclusion.ts',
        'spec/default-includes',
        'are evaluated for each object',
      ),
      rule(
        'The maximum include depth is an integer. `null` or a value of 0 or less means no limit.',
        'serve/read/plan/requested-inclusion.ts',
        'spec/include-paths',
        'counts the relationship hops from the primary resources of the document',
      ),
      rule(
        'The allowed include paths are all (`null`), a list, or none (an empty list).',
        'serve/read/plan/requested-inclusion.ts',
        'spec/include-paths',
        'an empty list permits none, and an empty include',
      ),
      rule(
        'A type has its own paginator, that of the server, or none.',
        'server/assembly/declared/default-paginator.ts',
        'spec/effective-paginator',
        'may be a function of the server default',
      ),
      rule(
        'A type may be countable on request.',
        'serve/read/plan/read-plan.ts',
        'spec/counting',
        'puts the total of the primary collection into meta.total, and into meta.page.total of a page',
      ),
      rule(
        'A type may omit `links.self` of its resources.',
        'serve/render/resource-writer.ts',
        'spec/document-shapes',
        'is left out when the type emits none',
      ),
      rule(
        'A type that is one of several in a relation recognizes its objects. Otherwise the build fails.',
        'server/assembly/checks/polymorphic-candidates.ts',
        'checks/relations',
        'cannot distinguish types that share a model',
      ),
    ],
  },
  {
    title: 'Metadata of a type',
    rules: [
      rule(
        'A type names its servers. An undeclared name is a build fault.',
        'server/assembly/checks/declared-servers.ts',
        'spec/resource-level-metadata',
        'an undeclared name is a build-time failure',
      ),
      rule(
        'Two types may have one model. One type has one model only.',
        'server/assembly/checks/one-model.ts',
        'spec/resource-level-metadata',
        'two types may share one model, each with its own view',
      ),
      rule(
        'A serializer or hydrator replaces the wire shape of a type. It must be registered and must fit.',
        'server/assembly/checks/named-services.ts',
        'spec/resource-level-metadata',
        'or by the name under which the server registers them',
      ),
      rule(
        '`operations` is an allow-list. An empty list means all five.',
        'server/assembly/checks/operations.ts',
        'spec/resource-level-metadata',
        'is an allow-list: any other verb of a path is 405, a path without any verb 404',
      ),
      rule(
        '`readOnly` is short for the two reads. Both together are a build fault.',
        'server/assembly/checks/operations.ts',
        'spec/resource-level-metadata',
        'readOnly with operations is a build-time failure',
      ),
      rule(
        'Cache headers are on successful reads only, with overrides for each kind of read.',
        'server/journey/response-headers.ts',
        'spec/resource-level-metadata',
        'are neither on errors nor on writes',
      ),
      rule(
        'Headers of deprecation are on every response of the type.',
        'server/journey/response-headers.ts',
        'spec/resource-level-metadata',
        'are on every response of the type, errors and OPTIONS included',
      ),
      rule(
        'A type of a standalone serializer has no operations, until an allow-list opens them.',
        'declare/resource/define/define-type.ts',
        'spec/capabilities',
        'exposes no operations without an allow-list',
      ),
      rule(
        'An exposed create or update needs a hydrator.',
        'server/assembly/checks/exposed-shapes.ts',
        'spec/capabilities',
        '1. an exposed create or update with no hydrator fails the build',
      ),
      rule(
        'An exposed read needs a provider.',
        'server/assembly/checks/exposed-reads.ts',
        'spec/capabilities',
        '2. an exposed read with no provider fails the build',
      ),
      rule(
        'An exposed write needs a persister.',
        'server/assembly/checks/exposed-writes.ts',
        'spec/capabilities',
        '3. an exposed write with no persister fails the build',
      ),
      rule(
        'A standalone serializer declares its path segment if it is not its type.',
        'declare/resource/define/define-type.ts',
        'spec/capabilities',
        'a standalone serializer whose URL segment differs declares it',
      ),
    ],
  },
  {
    title: 'Responses of operations',
    rules: [
      rule(
        'A create responds with 201, an update with 200, a delete with 204, a read with 200.',
        'declare/resource/replies/responses.ts',
        'spec/response-shape-objects',
        'create responds 201 with the resource, and Location is its self link',
      ),
      rule(
        'A declaration replaces the default. Two responses of one status, or one that does not fit the operation, are a fault.',
        'server/assembly/checks/success-responses.ts',
        'spec/response-shape-objects',
        'a response that the operation does not support',
      ),
      rule(
        'A delete may respond with a document of `meta` only.',
        'declare/resource/replies/responses.ts',
        'spec/response-shape-objects',
        'delete may respond 200 with a document of only meta',
      ),
      rule(
        'A write may be asynchronous: 202 with a job as the document.',
        'serve/hooks/accepted-response.ts',
        'spec/async-writes',
        'the body is the job, as its own type shows it',
      ),
      rule(
        'A job responds with 200 while it runs, and with 303 when it is done.',
        'serve/hooks/reply-response.ts',
        'spec/jobs',
        '303 with Location and without a body when it is done',
      ),
    ],
  },
]
