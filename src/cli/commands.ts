import { check } from './check.js'
import type { Command } from './command.js'

/** Every command. */
export const commands: readonly Command[] = Object.freeze([check])
