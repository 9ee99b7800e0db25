import type { JsonValue } from '../util/types.js'

/** The details of a thrown value that debug mode shows. */
export interface ThrownDescription {
  readonly message: string
  readonly code: string | null
  readonly meta: {
    readonly exception: string
    readonly file: string | null
    readonly line: number | null
    readonly trace: readonly TraceFrame[]
  }
}

interface TraceFrame {
  readonly [name: string]: JsonValue
  readonly function: string | null
  readonly file: string | null
  readonly line: number | null
}

/** Describes anything that can be thrown, proxies and objects with throwing getters included. Never throws. */
export function describeThrown(thrown: unknown): ThrownDescription {
  const message = thrownMessage(thrown)
  const trace = traceOf(thrown, message)
  const origin = trace.find((frame) => frame.line !== null)
  return {
    message,
    code: codeOf(thrown),
    meta: { exception: thrownName(thrown), file: origin?.file ?? null, line: origin?.line ?? null, trace },
  }
}

export function thrownMessage(thrown: unknown): string {
  const message = member(thrown, 'message')
  if (typeof message === 'string') return message
  return attempt(() => String(thrown)) ?? 'The thrown value cannot be shown.'
}

/** Returns the class name of an object, or the JavaScript type of any other value. */
export function thrownName(thrown: unknown): string {
  if (thrown === null) return 'null'
  if (typeof thrown !== 'object') return typeof thrown
  const name = member(member(thrown, 'constructor'), 'name')
  return typeof name === 'string' && name !== '' ? name : 'Object'
}

/** Returns the member `code`. Zero and the empty string count as no code, because libraries use them for that. */
function codeOf(thrown: unknown): string | null {
  const code = member(thrown, 'code')
  return (typeof code === 'string' || typeof code === 'number' || typeof code === 'bigint') && code
    ? String(code)
    : null
}

function traceOf(thrown: unknown, message: string): readonly TraceFrame[] {
  const stack = member(thrown, 'stack')
  if (typeof stack !== 'string') return []
  // The stack starts with the message, which may itself have lines that look like stack frames.
  const start = stack.indexOf(message)
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map(frameOf)
}

/** Parses a line of a stack: `    at name (file:line:column)`, or the same without name and brackets. */
function frameOf(text: string): TraceFrame {
  const call = text.trim().slice('at '.length)
  const open = call.endsWith(')') ? call.indexOf(' (') : -1
  const location = open === -1 ? call : call.slice(open + 2, -1)
  const position = /:(\d+):\d+$/.exec(location)
  return {
    function: open === -1 ? null : call.slice(0, open),
    file: position ? location.slice(0, position.index) : null,
    line: position ? Number(position[1]) : null,
  }
}

function member(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return attempt(() => (value as Record<string, unknown>)[name])
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
