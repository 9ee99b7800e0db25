import { scriptCall } from './package-manager.js'
import type { Starter } from './starter.js'
import { starterEngines } from './starter-engines.js'

/** Returns README.md of a new service. */
export function readmeText({ name, engine, manager }: Starter): string {
  const [database, variables, emptied] = starterEngines[engine].readme
  const call = (script: string): string => scriptCall(manager, script)
  return `# ${name}

A [JSON:API](https://jsonapi.org) service, made with Ashlar. You need Node 20.19 or later.

${database}

\`\`\`sh
${manager} install
${call('dev')}
\`\`\`

The service is at http://127.0.0.1:3000, and its description at http://127.0.0.1:3000/docs. Everybody may read:

\`\`\`sh
curl http://127.0.0.1:3000/artists
\`\`\`

A stranger who writes gets the status 401:

\`\`\`sh
curl http://127.0.0.1:3000/artists -H 'Content-Type: application/vnd.api+json' \\
  -d '{ "data": { "type": "artists", "attributes": { "name": "Radiohead" } } }'
\`\`\`

\`\`\`json
{
  "errors": [
    {
      "status": "401",
      "code": "UNAUTHENTICATED",
      "title": "Unauthorized",
      "detail": "This request needs credentials, and has none that the server accepts."
    }
  ],
  "jsonapi": { "version": "1.1" }
}
\`\`\`

The file \`.env\` has a random token, \`API_TOKEN\`. It is not for git. With the token, the artist is created:

\`\`\`sh
. ./.env
curl http://127.0.0.1:3000/artists -H "Authorization: Bearer $API_TOKEN" -H 'Content-Type: application/vnd.api+json' \\
  -d '{ "data": { "type": "artists", "attributes": { "name": "Radiohead" } } }'
\`\`\`

The line \`policy\` in \`src/service.ts\` says who may do what. \`src/authentication.ts\` finds the caller of a request. Unexpected errors are
written to the standard error stream, with their stacks.

| Command | Does |
|---|---|
| \`${call('dev')}\` | Serves the sources, and loads them again when they change. |
| \`${call('test')}\` | Compiles, and runs the tests. |
| \`${call('types')}\` | Checks the types. |
| \`${call('check')}\` | Compares the database with the declarations. |
| \`${call('build')}\` | Compiles to \`dist\`, which is emptied first. |
| \`${call('start')}\` | Runs the compiled service. It reads ${variables}. |

| File | Contains |
|---|---|
| \`src/resources\` | The declarations of the types that are served. |
| \`src/service.ts\` | The service over all of them, and who may do what. |
| \`src/authentication.ts\` | Finds the caller by the token of the request. |
| \`src/migrations.ts\` | The tables, and later changes of them. |
| \`src/database.ts\` | The connection to the database. |
| \`src/environment.ts\` | Reads the variables of \`.env\`. |
| \`src/server.ts\` | The service over the database, for \`ashlar dev\` and other commands. |
| \`src/main.ts\` | The program that listens. |
| \`src/service.test.ts\` | Tests of the service, in memory. |

A new attribute takes a member of the row and an attribute in \`src/resources\`, and a migration that adds the column. The README of the
package \`ashlar\` links to its guide, and \`npx ashlar --help\` lists all commands.

Each migration runs once, and \`${call('dev')}\` runs it as soon as you save it. To change one that has run, add another one, or begin with
${emptied}
`
}
