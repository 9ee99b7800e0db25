import process from 'node:process'

/** Many tests open operations on purpose. Files share a worker, in which the function is replaced once. */
const quiet = Symbol.for('ashlar.quietWarnings')

if (!Object.hasOwn(process, quiet)) {
  const emitWarning = process.emitWarning.bind(process)
  const filtered = (...given: Parameters<typeof emitWarning>): void => {
    const [, options]: readonly unknown[] = given
    const code = typeof options === 'object' && options !== null && 'code' in options ? options.code : null
    if (code !== 'ASHLAR_OPEN_OPERATIONS') emitWarning(...given)
  }
  Object.assign(process, { emitWarning: filtered, [quiet]: true })
}
