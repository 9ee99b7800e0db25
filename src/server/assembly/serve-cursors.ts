import { logThrown } from '../../core/errors/error-log.js'
import { compileErrorSettings } from '../../core/errors/error-settings.js'
import { cursorCipher } from '../../declare/pagination/cursor-cipher.js'
import type { CursorTokens } from '../../declare/pagination/cursor-token.js'
import { cursorTokens } from '../../declare/pagination/cursor-token.js'
import type { BuildContext } from './declared/build-rule.js'
import { cursorPagesOf } from './declared/cursor-pages.js'
import { secretList } from './compile/secret-list.js'

/**
 * Returns what creates and reads cursors. Without a secret, cursors are valid in this process only: that is logged once, at the
 * start in production, else with the first cursor that this process cannot read.
 */
export function serveCursors(context: BuildContext): CursorTokens {
  const { settings } = context
  if (settings.secret !== undefined) {
    const secrets = (secretList(settings.secret) ?? []) as readonly string[]
    return cursorTokens(cursorCipher(secrets), ignore)
  }
  const { logger } = compileErrorSettings(settings)
  let isReported = false
  const report = (): void => {
    if (isReported) return
    isReported = true
    logThrown(logger, 'error', new Error(missingSecret), { request: null })
  }
  if (process.env['NODE_ENV'] === 'production' && cursorPagesOf(context).length > 0) report()
  return cursorTokens(cursorCipher([]), report)
}

function ignore(): void {}

const missingSecret =
  "The setting 'secret' is missing: cursors of this process are valid only until it ends, and in no other process. " +
  'Give all processes of the service the same secret.'
