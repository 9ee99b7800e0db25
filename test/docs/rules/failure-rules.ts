import { type RuleChapter, rule } from './service-rule.js'

/** The rules of access, events, errors and limits. */
export const failureRules: readonly RuleChapter[] = [
  {
    title: 'Access',
    rules: [
      rule(
        'Middleware belongs to its server, and runs in front of its routes.',
        'server/journey/run-middleware.ts',
        'spec/middleware',
        'belongs to its server',
      ),
      rule(
        'A denied request is a JSON:API document with 401 or 403, never a redirect or a page.',
        'serve/read/query/permission.ts',
        'spec/policies',
        'is 401 without a caller, and 403 for a row that the policy does not permit',
      ),
      rule(
        'A type names its policy, and the abilities that its operations need.',
        'declare/resource/policy/policy.ts',
        'spec/policies',
        'a delete needs its own ability',
      ),
    ],
  },
  {
    title: 'Events',
    rules: [
      rule(
        'In a batch, hooks and events after the fact wait for the commit. A rollback discards them.',
        'serve/write/persist/in-transaction.ts',
        'spec/events-in-batches',
        'a rollback discards them',
      ),
      rule(
        'Events of a store fire at each row, before the commit.',
        'stores/observe/observed-persister.ts',
        'spec/store-events',
        'in a batch each row fires immediately, before the commit',
      ),
    ],
  },
  {
    title: 'Errors',
    rules: [
      rule(
        'Every failure on a JSON:API route is a document with `errors`. Other routes are left to the application.',
        'server/journey/error-response.ts',
        'spec/errors',
        'every failure on a JSON:API route is a document of the media type with an errors array',
      ),
      rule(
        'Errors of the service come first, then mappers and the map, then HTTP errors, then the generic 500.',
        'core/errors/error-reply.ts',
        'spec/errors',
        'then come mappers and the map, then HTTP errors, then the generic 500',
      ),
      rule(
        'An HTTP error has the title of its status. Its message is shown in debug mode only.',
        'core/errors/http-error.ts',
        'spec/errors',
        'has its message as detail in debug mode, and no more',
      ),
      rule(
        'The exception map gives classes a status. The most derived class wins.',
        'core/errors/exception-mapping.ts',
        'spec/errors',
        'the most derived class wins, whatever the order',
      ),
      rule(
        'Mappers run by descending priority, and the first result wins. The map has the priority -1000.',
        'core/errors/exception-mapping.ts',
        'spec/errors',
        'the configured map acts at priority -1000',
      ),
      rule(
        'A generic 500 has status and title only. Debug mode adds the exception.',
        'core/errors/error-reply.ts',
        'spec/errors',
        'has only status and title when debug is off',
      ),
      rule(
        'Only unexpected exceptions are logged. A failing logger changes nothing.',
        'core/errors/error-log.ts',
        'spec/errors',
        'a missing or failing logger does not affect the response',
      ),
      rule(
        'Title and detail can be replaced by code. Code and status cannot.',
        'core/errors/messages.ts',
        'spec/errors',
        'are overridden by code and slot; code and status are never altered',
      ),
      rule(
        'Only errors of the service have a code.',
        'core/errors/catalogue.ts',
        'spec/errors',
        'HTTP errors and the generic 500 have none',
      ),
      rule(
        'A resource that does not exist is 404 `RESOURCE_NOT_FOUND`.',
        'serve/read/rows/fetch-row.ts',
        'spec/service-overview',
        'a resource that does not exist is 404 for reading, changing and deleting',
      ),
      rule(
        'A body that is no JSON is 400 `REQUEST_BODY_INVALID_JSON`.',
        'serve/parse/body.ts',
        'spec/limits',
        'that is not JSON is REQUEST_BODY_INVALID_JSON, and nothing of it is in the response',
      ),
      rule(
        'Another media type than that of JSON:API is 415.',
        'serve/negotiate/negotiator.ts',
        'spec/service-overview',
        'a body of the type %j is 415',
      ),
      rule(
        'An `Accept` that excludes JSON:API is 406.',
        'serve/negotiate/accept.ts',
        'spec/service-overview',
        'Accept: %s is 406',
      ),
    ],
  },
  {
    title: 'Limits',
    rules: [
      rule(
        'The maximum size of a page is 100, and larger sizes are reduced to it.',
        'declare/pagination/page-request.ts',
        'spec/effective-paginator',
        'is the built-in default if none is declared: page-number, size 15, at most 100',
      ),
      rule(
        'The depth of includes has no limit by default.',
        'serve/read/plan/requested-inclusion.ts',
        'spec/default-includes',
        'between two types, without a limit of depth',
      ),
      rule(
        'All include paths are allowed by default.',
        'serve/read/plan/requested-inclusion.ts',
        'spec/include-paths',
        'null and undefined allow every path',
      ),
    ],
  },
]
