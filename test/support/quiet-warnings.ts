import { subscribe } from 'node:diagnostics_channel'
import process from 'node:process'
import { DEFAULT_LOG } from '../../src/core/errors/default-log.js'

/**
 * Many tests open operations and servers on purpose, and provoke exceptions. Files share a worker, in which the function is replaced
 * once, and the default log taken.
 */
const quiet = Symbol.for('ashlar.quietWarnings')

if (!Object.hasOwn(process, quiet)) {
  const emitWarning = process.emitWarning.bind(process)
  const filtered = (...given: Parameters<typeof emitWarning>): void => {
    const [, options]: readonly unknown[] = given
    const code = typeof options === 'object' && options !== null && 'code' in options ? options.code : null
    if (code !== 'ASHLAR_OPEN_OPERATIONS') emitWarning(...given)
  }
  subscribe(DEFAULT_LOG, takeDefaultLog)
  Object.assign(process, { emitWarning: filtered, [quiet]: true })
}

function takeDefaultLog(): void {}
