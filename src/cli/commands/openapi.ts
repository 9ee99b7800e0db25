import { defineCommand } from '../command.js'
import { descriptionExitCodes, descriptionOptions, printDescription } from '../print-description.js'
import { moduleNote, moduleParameter } from '../shared-options.js'

/** `ashlar openapi <module>`: prints the OpenAPI document of a server. */
export const openapi = defineCommand(
  {
    name: 'openapi',
    summary: 'prints the OpenAPI document of a server',
    description: ['Prints the OpenAPI document of a server, whether the server serves it or not.', moduleNote],
    parameters: [moduleParameter],
    options: descriptionOptions,
    examples: [
      { call: 'ashlar openapi dist/server.js --output openapi.yaml', says: 'Writes it as YAML.' },
      { call: 'ashlar openapi dist/server.js --server admin', says: 'Prints that of the server admin as JSON.' },
    ],
    exitCodes: descriptionExitCodes,
  },
  (args, output) => printDescription(args, (server, name) => server.openapi(name), output),
)
