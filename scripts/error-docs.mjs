// @ts-check
/**
 * Writes docs/errors.md and src/client/error-code.ts from the error catalogue in src/; `--check` only compares and fails when they differ.
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

<!-- Written by scripts/error-docs.mjs from the catalogue in src/errors. Change it there. -->

Every failure on a JSON:API route is answered with a document of media type \`application/vnd.api+json\` and a
top-level \`errors\` array. This page says how such an answer comes about and lists every code.

## Anatomy of an error

\`\`\`json
{
  "errors": [
    {
      "status": "422",
      "code": "VALIDATION_FAILED",
      "title": "Unprocessable Entity",
      "detail": "Must not be longer than 200 characters.",
      "source": { "pointer": "/data/attributes/title" }
    }
  ]
}
\`\`\`

| Member | Meaning |
|---|---|
| \`status\` | The HTTP status of this error, as a string. |
| \`code\` | A code of this page. Programs should look at this member and no other. |
| \`title\` | What kind of error it is; the same for every occurrence. |
| \`detail\` | What is wrong this time. |
| \`source\` | One of \`pointer\` (into the request body), \`parameter\` (of the query) and \`header\`. |
| \`meta\` | Further facts, when there are any. |

A member that would be empty is left out. The response has the status that its errors share; errors of different
statuses make the highest class, rounded down to its hundred: 404 and 422 together are answered with 400.

An error **with** a code comes from the service itself. An error with a title and **no** code is an HTTP error (denied
access, a method that is not allowed, an exception that the application mapped to a status) or the generic 500.

## Which answer a failure gets

The first line that applies decides:

1. An error of the service, such as one that \`fail\` threw, is answered with its own status, codes and sources. Nothing overrides it.
   One that another copy of the package in the same process threw counts too.
2. The exception mappers of the application are asked, highest priority first; the exception map counts as a mapper of priority -1000.
3. An \`HttpError\` is answered with its status, the reason phrase as title, and its message as \`detail\` in debug mode.
   Outside debug mode \`detail\` is the empty string.
4. Anything else is unexpected: it is logged with the exception attached, and answered with the generic 500.

The titles of errors without a code: 400 Bad Request, 401 Unauthorized, 403 Forbidden, 404 Not Found, 405 Method Not
Allowed, 406 Not Acceptable, 409 Conflict, 415 Unsupported Media Type, 422 Unprocessable Entity; any other status from
500 on Server Error; any other status Error.

The generic 500 has the status and the title \`Internal Server Error\` and tells the client nothing else. In debug mode it
also has the message of the exception as \`detail\`, its \`code\` when it has one, and in \`meta\` the class (\`exception\`),
\`file\`, \`line\` and \`trace\`. Only this response is logged as an error, by \`logger.error(entry, message)\`. The entry has:

| Member | Content |
|---|---|
| \`err\` | the thrown value, which pino serializes under this name. \`entry.exception\` is the same value, but not enumerable, so that it is printed once |
| \`original\` | the error that was thrown first, if handling it threw \`err\` |
| \`method\`, \`path\` | of the request, without its query. Absent outside of requests |
| \`requestId\` | the header \`X-Request-Id\` if it has 1 to 128 visible ASCII characters, else a generated id |

Without a logger nothing is logged; a logger that throws does not change the response.

## Raising errors

\`\`\`ts
import { fail, failAll, HttpError, problem } from 'ashlar'

// One error of the catalogue. The compiler asks for the placeholders of its code.
fail('RELATIONSHIP_NOT_EXISTS', { relationship: 'tracks' })

// Several at once.
failAll([
  problem('VALIDATION_FAILED', { message: 'Must not be empty.' }, { source: { pointer: '/data/attributes/title' } }),
  problem('VALIDATION_FAILED', { message: 'Must be a date.' }, { source: { pointer: '/data/attributes/releasedAt' } }),
])

// A status without a code, with response headers.
throw new HttpError(429, 'Too many uploads.', { headers: ['Retry-After', '60'] })
\`\`\`

## Exceptions of the application

The **exception map** gives a class of exceptions a status. When several classes match, the most derived wins. A
**mapper** sees the exception itself and answers with an \`HttpError\`, a \`JsonApiError\`, a complete answer
(\`{ status, errors, headers }\`), or \`null\` to leave it to the next one. Mappers are asked in descending priority
(0 when left out; among equals in the order of the list), and must answer at once, without a promise.

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

What a mapper throws is unexpected itself: the client gets the generic 500, and the log gets both exceptions, the mapper's
under \`err\` and \`exception\`, the first under \`original\`. The same holds for an answer that cannot be sent, such as one with
the status 200.
A \`status\` or \`statusCode\` property on some other library's exception is never used: clients of remote services set
them too, and their 403 is not this server's 403. Map such a class when you mean it.

## Other words, other languages

\`title\` and \`detail\` are templates, and \`{name}\` stands for a value of the occurrence. Override any of them in the
domain \`jsonapi_errors\`, by code; a slot that you leave out keeps the English of this page. \`code\` and \`status\` never change.

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

To choose by request, give a function; whatever it does not answer with a string stays English, and so does everything
when it throws. A name in braces that the code does not have stays as written.

\`\`\`ts
import type { ErrorSettings } from 'ashlar'

const french: Record<string, string> = { 'RESOURCE_NOT_FOUND.title': 'Ressource introuvable' }

export const errors: ErrorSettings = {
  messages: (code, slot, { request }) =>
    request?.header('accept-language')?.startsWith('fr') ? french[\`\${code}.\${slot}\`] : null,
}
\`\`\`

## The codes

"Occurs with" names what a server must offer before the code can occur: \`always\`, \`write\` (any write), \`clientIds\`,
\`strictMembers\` (unknown members are rejected), \`preconditions\`, \`cursor\` and \`menu\` (pagination), \`countable\`, \`atomic\`,
\`developmentValidators\`.
`

/**
 * @param {readonly Subject[]} subjects
 * @returns {string} the whole page
 */
export function errorDocs(subjects) {
  const chapters = subjects.map(({ title, errors }) => {
    const rows = Object.entries(errors).map(([code, entry]) => row(code, entry))
    const head =
      '| Code | Status | Source | Occurs with | When | Title and detail | Placeholders |\n|---|---|---|---|---|---|---|'
    return `### ${title}\n\n${head}\n${rows.join('\n')}\n`
  })
  return `${introduction}\n${chapters.join('\n')}`
}

/**
 * @param {readonly Subject[]} subjects
 * @returns {string} the module with the codes for clients, which imports nothing of the server
 */
export function clientErrorCodes(subjects) {
  const codes = subjects.flatMap(({ errors }) => Object.keys(errors)).toSorted()
  return `/** The codes of the errors of Ashlar. Written by scripts/error-docs.mjs from the catalogue in src/errors. See {@link ClientError}. */
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
  const { catalogueSubjects } = await importSource('src/errors/catalogue.ts')
  const written = [
    ['docs/errors.md', errorDocs(catalogueSubjects)],
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
