import { type RuleChapter, rule } from './service-rule.js'

/** The rules of operations, batches and routes. */
export const endpointRules: readonly RuleChapter[] = [
  {
    title: 'Operations',
    rules: [
      rule(
        '`GET` without a relationship reads resources, with one related resources or linkage.',
        'serve/operation/operation.ts',
        'spec/operations',
        '1. %s of the target gives one kind of read',
      ),
      rule(
        '`POST`, `PATCH` and `DELETE` write a resource, or a relationship if the path names one.',
        'serve/operation/operation.ts',
        'spec/operations',
        '2. %s of the target gives one kind of write',
      ),
      rule(
        'Another method that reaches the handler is a 500.',
        'server/journey/check-method.ts',
        'spec/operations',
        '3. the method %j is a 500 application error',
      ),
      rule(
        'A request without a target is a 500 document. A path without a route is 404 before the handler.',
        'server/journey/journey.ts',
        'spec/operations',
        '4. a missing target is a wiring fault: a 500 error document, not thrown',
      ),
      rule(
        'An operation has its server, and its request if it came by HTTP.',
        'declare/resource/request/request-context.ts',
        'spec/operations',
        '5. an operation of an application has no HTTP request',
      ),
      rule(
        'Only operations of the allow-list have routes.',
        'server/assembly/serve-types.ts',
        'spec/operations',
        "6. only the operations of a type's allow-list are routed: any other verb is 405, or 404 where no verb is left",
      ),
      rule(
        'Dispatch by a program needs a handler.',
        'server/journey/dispatch.ts',
        'spec/operations',
        'requires a configured handler, else it throws an error',
      ),
    ],
  },
  {
    title: 'Related resources and linkage',
    rules: [
      rule(
        'A related read has the links of its own URL.',
        'serve/handler/fetch-related.ts',
        'spec/related-read',
        'to one, with links scoped to the related URL',
      ),
      rule(
        'An unknown relationship is 404 `RELATIONSHIP_NOT_EXISTS`.',
        'serve/read/plan/find-relation.ts',
        'spec/related-read',
        'unknown gives 404 with RELATIONSHIP_NOT_EXISTS',
      ),
      rule(
        'An empty to-one is 200 with `data: null`.',
        'serve/handler/fetch-related.ts',
        'spec/related-read',
        'also when the key refers to a missing row',
      ),
      rule(
        'A paginated to-many has the page links and `meta.page` of the related URL.',
        'serve/read/paging/page-of-rows.ts',
        'spec/related-read',
        'has links and meta.page scoped to the related URL',
      ),
      rule(
        'A related read takes `include`.',
        'serve/read/plan/document-plan.ts',
        'spec/related-read',
        'returns the related resource plus included',
      ),
      rule(
        'A relationship read has identifiers only.',
        'serve/read/graph/linkage-response.ts',
        'spec/relationship-read',
        'with any fieldset',
      ),
      rule(
        'Linkage of several types has the type of each member.',
        'serve/read/graph/linkage-response.ts',
        'spec/relationship-read',
        'has mixed linkage with the type of each member',
      ),
      rule(
        'Without a query, the linkage is whole.',
        'serve/read/graph/linkage-response.ts',
        'spec/relationship-read',
        'renders the entire association, whatever the paginator',
      ),
      rule(
        'With `page`, `sort` or `filter`, linkage of cursor pages has links with cursors, never `last`, and no `meta.page`.',
        'serve/read/graph/linkage-response.ts',
        'spec/relationship-read',
        'has links with real cursors, and never last',
      ),
      rule(
        'A query on linkage with fields of join rows is 400.',
        'serve/read/plan/refuse-query.ts',
        'spec/pagination-of-relations',
        'is 400 as queried linkage, and complete without a query',
      ),
      rule(
        'A to-one of several types has the type of its row.',
        'serve/read/rows/load-from-targets.ts',
        'spec/polymorphic-relations',
        'the same endpoint renders a different type per parent',
      ),
      rule(
        'On a to-many of several types, `filter` and `sort` are 400, and `page` is taken.',
        'serve/read/plan/relation-query.ts',
        'spec/polymorphic-relations',
        'page slices the mixed list',
      ),
    ],
  },
  {
    title: 'Atomic operations',
    rules: [
      rule(
        'The extension is off by default. It adds `POST` at its path to each server.',
        'server/atomic/atomic.ts',
        'atomic/targets',
        'have an endpoint each, under their prefix and on their host',
      ),
      rule(
        '`Content-Type` and `Accept` must name the extension.',
        'serve/negotiate/negotiator.ts',
        'spec/atomic/media-type',
        'a batch whose Content-Type does not name the extension, or names another one too, is 415 and does not run',
      ),
      rule(
        'An operation has `op`, and `ref` and `data` as its kind needs them.',
        'server/atomic/check-operation-data.ts',
        'atomic/structure',
        'are reported together, in the order of the operations',
      ),
      rule(
        'A `lid` of a created resource can be used by later operations.',
        'server/atomic/local-ids.ts',
        'atomic/local-ids',
        'in the linkage of a resource: by its own key, by keys of others, by join rows, of several types',
      ),
      rule(
        'A batch is one transaction. If one operation fails, nothing is stored, and its error is the response.',
        'server/atomic/run-batch.ts',
        'atomic/failures',
        'if two would fail, the first is reported',
      ),
      rule(
        'The results have the order of the operations. Without any result, the response is 204.',
        'server/atomic/run-batch.ts',
        'atomic/results',
        'are an empty body if no operation has a result',
      ),
    ],
  },
  {
    title: 'Routes and servers',
    rules: [
      rule(
        'Routes come from types, allowed operations and servers.',
        'serve/route/route-table.ts',
        'spec/route-registration',
        'are registered per type, per allowed operation, per server, under its prefix, and named after the type',
      ),
      rule(
        'Route names have the server, the type and the action.',
        'serve/route/route-names.ts',
        'spec/route-urls',
        'returns the URL of every kind of route',
      ),
      rule(
        'An application can place the routes of a server in a group of its own router.',
        'server/frameworks/placed-patterns.ts',
        'adapters/placement',
        'have the path and the middleware of the group, and links that follow it',
      ),
      rule(
        'A snapshot has the declarations of a directory, so that none is searched at start.',
        'declare/discovery/snapshot-module.ts',
        'discovery/snapshot',
        'writes a module next to the directory: the same files, the same bytes',
      ),
      rule(
        'A server may have a host, and serves requests to it only.',
        'serve/route/host-matcher.ts',
        'spec/service-overview',
        'a server with a host responds on that host only',
      ),
    ],
  },
]
