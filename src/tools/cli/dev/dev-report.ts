import { linkHost } from '../../../serve/adapters/listen.js'
import type { Shell } from '../command.js'
import { counted } from '../counted.js'
import { type Paint, paintFor } from '../paint.js'
import { shownPath } from '../shown-path.js'
import type { DevReport } from './dev-host.js'
import { exceptionText } from './exception-text.js'
import { failureText } from './failure-text.js'
import type { ServedRoute, ServedService } from './messages.js'
import { compactRoutes } from './compact-routes.js'

interface ReportedSource {
  readonly module: string
  readonly host: string
  /** Whether the user can press Enter to load the module again. */
  readonly canReload: boolean
}

/** Returns a report that prints text, or events with `--json`. */
export function devReport({ module, host, canReload }: ReportedSource, shell: Shell): DevReport {
  const paint = paintFor(shell)
  let changes: readonly string[] = []
  let lastRoutes: string | null = null
  return {
    hasEvents: shell.event !== undefined,
    changed(files) {
      changes = files.map(shownPath)
      shell.event?.({ event: 'changed', files: changes })
    },
    serving({ service, port, milliseconds }) {
      const url = `http://${linkHost(host)}:${port}`
      const viewers = viewerUrls(service.routes, url)
      const took = Math.round(milliseconds)
      const { routes, types } = service
      const database = service.database === null ? null : shownPath(service.database)
      shell.event?.({
        event: 'serving',
        url,
        viewers,
        module,
        database,
        types,
        routes,
        milliseconds: took,
        files: changes,
      })
      const compact = compactRoutes(routes).join('\n')
      if (lastRoutes === null) shell.out(welcome({ module, canReload, url, viewers, database, service, paint }))
      else
        shell.out(`${paint('green', 'Reloaded')} in ${took} ms${changes.length === 0 ? '' : `: ${changes.join(', ')}`}`)
      if (lastRoutes !== null && compact !== lastRoutes) shell.out(indented(compact))
      lastRoutes = compact
    },
    failed(failure) {
      const { message, location, frame } = failure
      shell.event?.({ event: 'failed', error: message, place: location, frame })
      shell.err(`${paint('red', 'Broken:')} ${failureText(failure)}`)
      shell.err('Requests get 503 until a file changes.')
    },
    exception(exception) {
      const { message, location, ...others } = exception
      shell.event?.({ event: 'exception', ...others, error: message, place: location })
      shell.err(`${paint('red', 'Exception:')} ${exceptionText(exception)}`)
    },
  }
}

interface Welcome extends Pick<ReportedSource, 'module' | 'canReload'> {
  readonly url: string
  readonly viewers: readonly string[]
  readonly database: string | null
  readonly service: ServedService
  readonly paint: Paint
}

function welcome({ module, canReload, url, viewers, database, service, paint }: Welcome): string {
  const { routes, types } = service
  return [
    `${paint('bold', module)} is served at ${paint('bold', url)}`,
    ...viewers.map((viewer) => `  Viewer: ${viewer}`),
    ...(database === null ? [] : [`  Embedded database: ${database}`]),
    `  ${counted(types.length, 'type')}, ${counted(routes.length, 'route')}:`,
    indented(compactRoutes(routes).join('\n')),
    `Watching for changes. ${canReload ? 'Enter loads everything again, ' : ''}Ctrl+C ends.`,
  ].join('\n')
}

/** Returns the addresses of the viewers: that of the default server comes first. */
function viewerUrls(routes: readonly ServedRoute[], url: string): readonly string[] {
  return routes.filter(({ name }) => /^jsonapi\.(?:[^.]+\.)?openapi\.ui$/.test(name)).map(({ path }) => `${url}${path}`)
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
