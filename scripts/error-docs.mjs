// @ts-check
/**
 * Writes docs/reference/errors.md and src/client/error-code.ts from the error catalogue in src/; `--check` only compares, and fails if they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Entry
 * @property {number} status
 * @property {string} title
 * @property {string} detail
 * @property {readonly string[]} source
 * @property {readonly string[]} context
 * @property {string} feature
 * @property {string} when
 *
 * @typedef {{ readonly title: string, readonly errors: Readonly<Record<string, Entry>> }} Subject
 */

const introduction = `# Errors

<!-- Written by scripts/error-docs.mjs from the catalogue in src/core/errors. Change it there. -->

Every error code, how the response of a failure is made, and how you throw, map and translate errors. The guide page is
[Errors](../guide/errors.md).

## Members of an error

The response of every failed request on a JSON:API route is a document of media type \`application/vnd.api+json\` with a list \`errors\`:

\`\`\`json
{
  "errors": [
    {
      "status": "422",
      "code": "VALIDATION_FAILED",
      "title": "Unprocessable Entity",
      "detail": "This must have at most 200 characters.",
      "source": { "pointer": "/data/attributes/title" }
    }
  ]
}
\`\`\`

| Member | Meaning |
|---|---|
| \`status\` | The HTTP status of this error, as a string. |
| \`code\` | A code of this page. Programs should use only this member. |
| \`title\` | The kind of error; the same for every occurrence. |
| \`detail\` | What is wrong in this request. |
| \`source\` | One of \`pointer\` (into the request body), \`parameter\` (of the query) and \`header\`. |
| \`meta\` | Other facts, if there are any. |

- Empty members are omitted.
- The status of the response is the status of its errors. If they differ, it is the highest class, rounded down: 404 and 422 together give 400.
- An error **with** a code of this page has a title and a detail. An error with a title and **no** code is an \`HttpError\` that your code threw, an
  exception that you mapped to a status, or the generic 500. The first two have an empty detail. Errors of
  [the HTTP server](http-server.md#serving-over-http) about requests that it cannot read have no code either: 400, 405 (\`CONNECT\`), 408, 417, 431, 505. A
  [mapper](#exceptions-of-the-application) can return errors of any form.
- \`UNAUTHENTICATED\`, \`FORBIDDEN\`, \`RESOURCE_NOT_FOUND\`, \`PATH_NOT_FOUND\` and \`METHOD_NOT_ALLOWED\` name no row and no rule. In debug mode,
  \`meta.reason\` of the first two has the reason.

## From a failure to a response

The first rule that applies decides:

| # | Failure | Response |
|---|---|---|
| 1 | an error of the service, also one that \`fail\` threw, or another copy of the package in the same process | its status, codes and sources. Nothing overrides it |
| 2 | an exception for which a [mapper](#exceptions-of-the-application) returns a result. Mappers with the highest priority come first; the exception map has priority -1000 | the result of the mapper |
| 3 | an \`HttpError\` | its status, with the reason phrase as title. \`detail\` is its message in debug mode, else the empty string |
| 4 | anything else | the exception is logged, and the response is the generic 500 |

| Status of an error without a code | Title |
|---|---|
| 400, 401, 403, 404, 405 | Bad Request, Unauthorized, Forbidden, Not Found, Method Not Allowed |
| 406, 409, 415, 422 | Not Acceptable, Conflict, Unsupported Media Type, Unprocessable Entity |
| any other from 500 on | Server Error |
| any other | Error |

### The generic 500

It has the status and the title \`Internal Server Error\`, and nothing else. In debug mode it also has the message of the exception as \`detail\`, its
\`code\` if it has one, and in \`meta\` the class (\`exception\`), \`file\`, \`line\` and \`trace\`.

Its exception is logged by \`logger.error(entry, message)\`. Without the setting \`logger\`, one line and the stack are written to the standard error stream;
\`ashlar dev\` prints them in its own form. With \`logger: null\`, nothing is written, and no response changes. A logger that throws does not change the
response. The same function logs errors from status 500 on with their \`cause\`, such as that of a 503 of the database, stored values that are left out of a
document, and exceptions after a commit. The entry has:

| Member | Content |
|---|---|
| \`err\` | the thrown value, which pino serializes under this name. \`entry.exception\` is the same value, but not enumerable, so that it is printed once |
| \`original\` | the error that was thrown first, if its handling threw \`err\` |
| \`method\`, \`path\` | of the request, without its query. Absent outside of requests |
| \`requestId\` | the header \`X-Request-Id\` if it has 1 to 128 visible ASCII characters, else a generated id |

## Throw errors

\`\`\`ts
import { fail, HttpError, JsonApiError, problem } from 'ashlar'

// One error of the catalogue. The compiler requires the placeholders of its code.
fail('RELATIONSHIP_NOT_EXISTS', { relationship: 'tracks' })

// Several errors.
throw new JsonApiError([
  problem('VALIDATION_FAILED', { message: 'Must not be empty.' }, { source: { pointer: '/data/attributes/title' } }),
  problem('VALIDATION_FAILED', { message: 'Must be a date.' }, { source: { pointer: '/data/attributes/releasedAt' } }),
])

// A status without a code, with response headers.
throw new HttpError(429, 'Too many uploads.', { headers: ['Retry-After', '60'] })
\`\`\`

## Exceptions of the application

The **exception map** gives a class of exceptions a status. If several classes match, the most derived wins.

A **mapper** is a function that gets the exception. It returns an \`HttpError\`, a \`JsonApiError\`, a complete response
(\`{ status, errors, headers }\`), or \`null\` for the next mapper. It is synchronous: it cannot return a promise. Mappers run in descending
priority. The default is 0, and equal priorities have the order of the list.

\`\`\`ts
import { type ErrorSettings, HttpError } from 'ashlar'

class CatalogueError extends Error {}
class AlbumWithdrawn extends CatalogueError {}
class StoreOffline extends Error {}

export const errors: ErrorSettings = {
  exceptionMap: [
    { error: CatalogueError, status: 400 },
    { error: AlbumWithdrawn, status: 409 },
  ],
  mappers: [
    {
      priority: 10,
      map: (thrown) =>
        thrown instanceof StoreOffline ? new HttpError(503, thrown.message, { headers: ['Retry-After', '5'] }) : null,
    },
  ],
}
\`\`\`

- If a mapper throws, or returns a response that cannot be sent, such as one with the status 200, the client gets the generic 500. The log
  has both exceptions: the one of the mapper under \`err\` and \`exception\`, the first under \`original\`.
- A property \`status\` or \`statusCode\` of an exception of another library is never used, because clients of remote services set it too. Map
  the class if you want its status.

## Translations

\`title\` and \`detail\` are templates, and \`{name}\` is a value of the occurrence. You can replace each of them in the domain
\`jsonapi_errors\`, by code. Texts that you omit stay as on this page. \`code\` and \`status\` never change. An unknown name in braces stays as
written.

\`\`\`ts
import type { ErrorSettings } from 'ashlar'

export const errors: ErrorSettings = {
  messages: {
    jsonapi_errors: {
      RELATIONSHIP_NOT_EXISTS: {
        title: 'Relation inconnue',
        detail: "La relation '{relationship}' n'existe pas.",
      },
    },
  },
}
\`\`\`

The detail of \`VALIDATION_FAILED\` and \`FILTER_VALUE_INVALID\` is a sentence about the violated rule. Its key is \`VALIDATION_FAILED.\` and
the [rule](#sentences-of-validation), such as \`VALIDATION_FAILED.maxLength\`, with a \`detail\`. Texts of your own rules and validators stay as they are.

To choose by request, pass a function. If it throws, or does not return a string, the English text is used:

\`\`\`ts
import type { ErrorSettings } from 'ashlar'

const french: Record<string, string> = { 'RESOURCE_NOT_FOUND.title': 'Ressource introuvable' }

export const errors: ErrorSettings = {
  messages: (code, slot, { request }) =>
    request?.header('accept-language')?.startsWith('fr') ? french[\`\${code}.\${slot}\`] : null,
}
\`\`\`

## The codes

The column Occurs with has the feature that a server must use before the code can occur:

| Feature | Meaning |
|---|---|
| \`always\` | every server |
| \`write\` | any write |
| \`clientIds\` | types that take ids from clients |
| \`strictMembers\` | unknown members are rejected |
| \`preconditions\` | any write: the headers \`If-Match\` and \`If-None-Match\` |
| \`cursor\`, \`menu\` | cursor pages, a menu of paginators |
| \`countable\` | \`withCount\` |
| \`atomic\` | atomic operations |
| \`idempotency\`, \`overload\`, \`queryCost\` | the settings of these names |
| \`rateLimit\` | the middleware \`rateLimit()\` |
| \`replicas\` | read replicas |
| \`developmentValidators\` | the validators for development |
`

/**
 * @param {readonly Subject[]} subjects
 * @param {Readonly<Record<string, string | readonly string[]>>} sentences of validation, by rule
 * @returns {string} the whole page
 */
export function errorDocs(subjects, sentences) {
  const chapters = subjects.map(({ title, errors }) => {
    const rows = Object.entries(errors).map(([code, entry]) => row(code, entry))
    const head =
      '| Code | Status | Source | Occurs with | When | Title and detail | Placeholders |\n|---|---|---|---|---|---|---|'
    return `### ${title}\n\n${head}\n${rows.join('\n')}\n`
  })
  const rules = Object.entries(sentences).map(([rule, texts]) => {
    const forms = [texts].flat().map((text) => `\`${text}\``)
    return `| \`${rule}\` | ${forms.join('; ')} |`
  })
  const head = 'If there are two sentences, the first is for one.\n\n| Rule | Sentence |\n|---|---|'
  return `${introduction}\n${chapters.join('\n')}\n## Sentences of validation\n\n${head}\n${rules.join('\n')}\n`
}

/**
 * @param {readonly Subject[]} subjects
 * @returns {string} the module with the codes for clients, which imports nothing of the server
 */
export function clientErrorCodes(subjects) {
  const codes = subjects.flatMap(({ errors }) => Object.keys(errors)).toSorted()
  return `/** The codes of the errors of Ashlar. Written by scripts/error-docs.mjs from the catalogue in src/core/errors. See {@link ClientError}. */
export type ErrorCode =
${codes.map((code) => `  | '${code}'`).join('\n')}
`
}

/**
 * @param {string} code
 * @param {Entry} entry
 */
function row(code, { status, title, detail, source, context, feature, when }) {
  const cells = [
    `\`${code}\``,
    String(status),
    source.join(', '),
    `\`${feature}\``,
    when,
    `${title}<br>\`${detail}\``,
    context.map((name) => `\`${name}\``).join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // Loaded here, because tests import this file for its functions, and need no bundler.
  const { importSource } = await import('./bundle.mjs')
  const { catalogueSubjects } = await importSource('src/core/errors/catalogue.ts')
  const { sentences } = await importSource('src/core/errors/sentence.ts')
  const written = [
    ['docs/reference/errors.md', errorDocs(catalogueSubjects, sentences)],
    ['src/client/error-code.ts', clientErrorCodes(catalogueSubjects)],
  ]
  for (const [path = '', text = ''] of written) {
    const file = new URL(`../${path}`, import.meta.url)
    if (!argv.includes('--check')) {
      writeFileSync(file, text)
    } else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${path} does not match the error catalogue; run \`node scripts/error-docs.mjs\`.`)
      exit(1)
    }
  }
}
