import { UsageError } from './command.js'

/** Returns the caller that the option `--as` names. */
export function callerIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new UsageError(`--as is not JSON: ${text}`, { cause: thrown })
  }
}
