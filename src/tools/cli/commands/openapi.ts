import type { Command } from '../command.js'
import { descriptionCommand } from '../description-command.js'

const versions = ['3.1', '3.2'] as const

/** `ashlar openapi <module>`: prints the OpenAPI document of a server. */
export const openapi: Command = descriptionCommand(
  {
    name: 'openapi',
    summary: 'prints the OpenAPI document of a server',
    description: 'Prints the OpenAPI document of a server, even if the server does not serve it.',
    options: {
      'openapi-version': {
        kind: 'value',
        value: '3.1|3.2',
        description: 'the version of OpenAPI. Default: that of the setting `openapi`, else 3.1',
        completes: versions,
      },
    },
    examples: [
      { call: 'ashlar openapi dist/server.js --output openapi.yaml', description: 'Writes it as YAML.' },
      { call: 'ashlar openapi dist/server.js --output openapi.yaml --check', description: 'Is it up to date? For CI.' },
      {
        call: 'ashlar openapi dist/server.js --server admin',
        description: 'Prints the document of the server admin as JSON.',
      },
      {
        call: 'ashlar openapi dist/server.js --openapi-version 3.2',
        description: 'Prints it with the operations of QUERY requests.',
      },
    ],
  },
  (server, name, { 'openapi-version': version }) =>
    server.openapi(name, version === null ? {} : { openapiVersion: version as (typeof versions)[number] }),
)
