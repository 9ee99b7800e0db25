import type { Command } from '../command.js'
import { defineCommand } from '../command.js'
import { checkOption, exitCodes, firstDifference, outputOption, printDescription } from '../description-file.js'
import { moduleNote, moduleParameter, serverOption } from '../shared-options.js'

/** `ashlar types <module>`: prints the contract of a server for typed clients. */
export const types: Command = defineCommand(
  {
    name: 'types',
    summary: 'prints the TypeScript contract of a server for typed clients',
    description: [
      'Prints the contract of a server as one TypeScript declaration file without imports: what clients may send and receive, by type. Descriptions of declarations become comments. The same declarations give the same bytes.',
      moduleNote,
    ],
    parameters: [moduleParameter],
    options: { output: outputOption, server: serverOption, check: checkOption },
    examples: [
      { call: 'ashlar types dist/server.js --output src/api.d.ts', description: 'Writes it to a file.' },
      { call: 'ashlar types dist/server.js --output src/api.d.ts --check', description: 'Is it up to date? For CI.' },
      { call: 'ashlar types dist/server.js --server admin', description: 'Prints the contract of the server admin.' },
    ],
    exitCodes,
  },
  (args, output) =>
    printDescription(args, output, (server) => {
      const text = server.contract(args.server ?? 'default').trimEnd()
      return { text, result: { text: `${text}\n` }, kind: {}, differences: firstDifference }
    }),
)
