import type { Command } from '../command.js'
import { descriptionCommand } from '../description-command.js'

/** `ashlar openapi <module>`: prints the OpenAPI document of a server. */
export const openapi: Command = descriptionCommand(
  {
    name: 'openapi',
    summary: 'prints the OpenAPI document of a server',
    says: 'Prints the OpenAPI document of a server, even if the server does not serve it.',
    examples: [
      { call: 'ashlar openapi dist/server.js --output openapi.yaml', says: 'Writes it as YAML.' },
      { call: 'ashlar openapi dist/server.js --output openapi.yaml --check', says: 'Is it up to date? For CI.' },
      {
        call: 'ashlar openapi dist/server.js --server admin',
        says: 'Prints the document of the server admin as JSON.',
      },
    ],
  },
  (server, name) => server.openapi(name),
)
