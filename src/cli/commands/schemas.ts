import { defineCommand } from '../command.js'
import { descriptionExitCodes, descriptionOptions, printDescription } from '../print-description.js'
import { moduleNote, moduleParameter } from '../shared-options.js'

/** `ashlar schemas <module>`: prints the JSON Schemas of the types of a server. */
export const schemas = defineCommand(
  {
    name: 'schemas',
    summary: 'prints the JSON Schemas of the types of a server',
    description: ['Prints the JSON Schemas (2020-12) of the types of a server, by type.', moduleNote],
    parameters: [moduleParameter],
    options: descriptionOptions,
    examples: [
      { call: 'ashlar schemas dist/server.js --output schemas.json', says: 'Writes them as JSON.' },
      { call: 'ashlar schemas dist/server.js --format yaml', says: 'Prints them as YAML.' },
    ],
    exitCodes: descriptionExitCodes,
  },
  (args, output) => printDescription(args, (server, name) => server.jsonSchemas(name), output),
)
