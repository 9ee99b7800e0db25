import type { Command, CommandDescription } from './command.js'
import { can } from './commands/can.js'
import { check } from './commands/check.js'
import { completionCommand } from './commands/completion.js'
import { dev } from './commands/dev.js'
import { diff } from './commands/diff.js'
import { explain } from './commands/explain.js'
import { init } from './commands/init.js'
import { openapi } from './commands/openapi.js'
import { pullCommand } from './commands/pull.js'
import { routes } from './commands/routes.js'
import { schemas } from './commands/schemas.js'
import { snapshot } from './commands/snapshot.js'
import { types } from './commands/types.js'
import { verifyCommand } from './commands/verify.js'

const described: readonly Command[] = [
  init,
  dev,
  pullCommand,
  check,
  verifyCommand,
  can,
  explain,
  routes,
  openapi,
  schemas,
  types,
  diff,
  snapshot,
]

/** Every command, in the order of the help. */
export const commands: readonly Command[] = Object.freeze([
  ...described,
  completionCommand((completion): readonly CommandDescription[] => [...described, completion]),
])
