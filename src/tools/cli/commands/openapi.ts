import type { Command } from '../command.js'
import { descriptionCommand } from '../description-command.js'

/** `ashlar openapi <module>`: prints the OpenAPI document of a server. */
export const openapi: Command = descriptionCommand(
  {
    name: 'openapi',
    summary: 'prints the OpenAPI document of a server',
    description: 'Prints the OpenAPI document of a server, even if the server does not serve it.',
    examples: [
      { call: 'ashlar openapi dist/server.js --output openapi.yaml', description: 'Writes it as YAML.' },
      { call: 'ashlar openapi dist/server.js --output openapi.yaml --check', description: 'Is it up to date? For CI.' },
      {
        call: 'ashlar openapi dist/server.js --server admin',
        description: 'Prints the document of the server admin as JSON.',
      },
    ],
  },
  (server, name) => server.openapi(name),
)
