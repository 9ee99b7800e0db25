import type { Command } from '../command.js'
import { descriptionCommand } from '../description-command.js'

/** `ashlar schemas <module>`: prints the JSON Schemas of the types of a server. */
export const schemas: Command = descriptionCommand(
  {
    name: 'schemas',
    summary: 'prints the JSON Schemas of the types of a server',
    description: 'Prints the JSON Schemas (2020-12) of a server, by type.',
    examples: [
      { call: 'ashlar schemas dist/server.js --output schemas.json', description: 'Writes them as JSON.' },
      { call: 'ashlar schemas dist/server.js --format yaml', description: 'Prints them as YAML.' },
    ],
  },
  (server, name) => server.jsonSchemas(name),
)
