import type { Context, Span, Tracer } from '@opentelemetry/api'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { RequestTrace, Stage } from '../../core/http/request-trace.js'
import { untilDone } from '../../core/util/awaitable.js'
import { statementFailure } from './describe-failure.js'
import { endSpan, startSpan } from './guarded-span.js'
import type { Instruments } from './instruments.js'
import { statementOperation } from './statement-operation.js'

/** Creates spans and metrics. */
export interface TelemetryTools {
  readonly tracer: Tracer
  readonly instruments: Instruments
}

/** The spans below the span of a request: its stages, steps and statements. */
export interface StageSpans extends Omit<RequestTrace, 'fail' | 'end'> {
  /** Ends the stage that has not ended yet. */
  leave(): void
}

interface OpenStage {
  readonly stage: Stage
  readonly since: number
  /** `null` until the stage is long enough for a span. */
  readonly span: Span | null
  readonly context: Context
}

/** Waits that are shorter than this, in milliseconds, get no span: the request started immediately. */
const SHORTEST_WAIT = 1

const systems = Object.freeze({ postgres: 'postgresql', sqlite: 'sqlite', mysql: 'mysql', mariadb: 'mariadb' })

/** @param root the context with the span of the request */
export function stageSpans({ tracer, instruments }: TelemetryTools, root: Context): StageSpans {
  let current: OpenStage | null = null

  function leave(): void {
    if (current === null) return
    const { stage, since, span } = current
    current = null
    if (span !== null) endSpan(span)
    else if (Date.now() - since > SHORTEST_WAIT) endSpan(startSpan(tracer, stage, { startTime: since }, root))
  }

  function enter(stage: Stage): OpenStage {
    leave()
    const span = stage === 'wait' ? null : startSpan(tracer, stage, {}, root)
    current = { stage, since: Date.now(), span, context: span === null ? root : trace.setSpan(root, span) }
    return current
  }

  /** Returns the span of application code around its statements, or else the span of the stage. */
  function parentOfStatements(): Context {
    const active = context.active()
    const span = trace.getSpan(active)
    return span === undefined || span === trace.getSpan(root) ? (current?.context ?? root) : active
  }

  return Object.freeze<StageSpans>({
    enter,
    leave,
    run(stage, work) {
      const entered = enter(stage)
      return untilDone(
        () => context.with(entered.context, work),
        () => {
          if (current === entered) leave()
        },
      )
    },
    step({ name, position, count }, work) {
      const attributes = { 'ashlar.operation.position': position, 'ashlar.operation.count': count }
      const parent = parentOfStatements()
      const span = startSpan(tracer, name, { attributes }, parent)
      return untilDone(
        () => context.with(trace.setSpan(parent, span), work),
        () => endSpan(span),
      )
    },
    statement({ engine, sql, shape, table }) {
      const operation = statementOperation(sql)
      const summary = table === null ? operation : `${operation} ${table}`
      const common = {
        'db.system.name': systems[engine],
        'db.operation.name': operation,
        ...(table === null ? {} : { 'db.collection.name': table }),
        'db.query.summary': summary,
      }
      const attributes = { ...common, 'db.query.text': sql, ...(shape === null ? {} : { 'ashlar.shape': shape }) }
      const span = startSpan(tracer, summary, { kind: SpanKind.CLIENT, attributes }, parentOfStatements())
      const start = performance.now()
      return (rows, error) => {
        const failure = error === null ? {} : statementFailure(error)
        instruments.statementDuration.record((performance.now() - start) / 1000, { ...common, ...failure })
        span.setAttributes(failure)
        if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
        else if (rows !== null && operation === 'SELECT') span.setAttribute('db.response.returned_rows', rows)
        endSpan(span)
      }
    },
    within: (work) => context.with(root, work),
  })
}
