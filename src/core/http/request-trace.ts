import type { EngineName } from '../util/engine-name.js'
import type { AsyncContext } from '../util/async-context.js'
import { asyncContext } from '../util/async-context.js'
import type { HttpResponse } from './response.js'

/**
 * A stage of the journey of a request: `wait` for its turn (with the setting `overload`), `middleware` (until the route is served),
 * `parse` (negotiation, query and body), `handle`, `render`.
 */
export type Stage = 'wait' | 'middleware' | 'parse' | 'handle' | 'render'

/** The route of a request. */
export interface TracedRoute {
  /** The name of the route, such as `jsonapi.albums.show`; `null` for a path or method that has none. */
  readonly name: string | null
  /** The path with placeholders for its parameters: `/albums/{id}`; `null` for an unknown path. */
  readonly template: string | null
}

/** A statement that a store runs for a request. It has no values. */
export interface TracedStatement {
  readonly engine: EngineName
  /** The text, with placeholders for its values. */
  readonly sql: string
  /** The name of its shape, such as `list albums`; `null` for a statement of the application. */
  readonly shape: string | null
  /** The table that it reads or writes first; `null` if that is unknown. */
  readonly table: string | null
}

/**
 * Ends the trace of a statement.
 *
 * @param rows how many were returned or written; `null` if it failed
 * @param error the error if it failed, else `null`
 */
export type EndStatement = (rows: number | null, error: unknown) => void

/** A part of a stage: an operation of a batch, or several of one type that run together. */
export interface TracedStep {
  /** Such as `CreateResource albums`. It has no ids. */
  readonly name: string
  /** The position of the first operation in the batch. */
  readonly position: number
  readonly count: number
}

/**
 * Traces one request through its journey. The journey has `null` instead if requests are not traced. None of its functions throws, except
 * errors of the work that they run.
 */
export interface RequestTrace {
  /** Starts a stage. It ends when the next one starts, or with the request. */
  enter(stage: Stage): void
  /** Runs a stage, from its start to the end of its work. */
  run<Result>(stage: Stage, work: () => Result): Result
  /** Runs a part of a stage. */
  step<Result>(step: TracedStep, work: () => Result): Result
  /** Starts a statement. */
  statement(statement: TracedStatement): EndStatement
  /** Records the exception that caused a response with a status of 5xx. */
  fail(thrown: unknown): void
  /** Runs the work of the request in the context of its trace. */
  within<Result>(work: () => Result): Result
  /** Ends the trace. Returns the response, with further headers if the trace has some. */
  end(response: HttpResponse): HttpResponse
}

export const requestTraces: AsyncContext<RequestTrace> = asyncContext<RequestTrace>()

/** Returns the trace of the request that the running code is part of; `null` if there is none. */
export function currentTrace(): RequestTrace | null {
  return requestTraces.current() ?? null
}

/** Runs work of a request, so that stores find its trace. */
export function inTrace<Result>(trace: RequestTrace, work: () => Promise<Result>): Promise<Result> {
  return requestTraces.run(trace, () => trace.within(work))
}

/** Returns a trace that forwards all calls to two others. */
export function bothTraces(one: RequestTrace, other: RequestTrace): RequestTrace {
  return Object.freeze<RequestTrace>({
    enter(stage) {
      one.enter(stage)
      other.enter(stage)
    },
    run: (stage, work) => one.run(stage, () => other.run(stage, work)),
    step: (step, work) => one.step(step, () => other.step(step, work)),
    statement(statement) {
      const ends = [one.statement(statement), other.statement(statement)]
      return (rows, error) => {
        for (const end of ends) end(rows, error)
      }
    },
    fail(thrown) {
      one.fail(thrown)
      other.fail(thrown)
    },
    within: (work) => one.within(() => other.within(work)),
    end: (response) => other.end(one.end(response)),
  })
}
