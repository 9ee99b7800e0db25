import module from 'node:module'
import process from 'node:process'
import { TransformError } from './transform-error.js'

/** `stripTypeScriptTypes` of `node:module`: replaces types by spaces, so that all positions stay. */
export type StripTypes = (source: string) => string

/** Returns the function of Node 22.13 and later that removes types. Null if Node has none. */
export function nodeStripTypes(): StripTypes | null {
  if (!('stripTypeScriptTypes' in module)) return null
  const strip = module.stripTypeScriptTypes as StripTypes
  const emitWarning = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  // Its first call warns that it is experimental. The user of a command can do nothing about it.
  process.emitWarning = () => undefined
  try {
    strip('')
    return (source) => strip(source)
  } catch {
    // Node can be built without it.
    return null
  } finally {
    if (emitWarning !== undefined) Object.defineProperty(process, 'emitWarning', emitWarning)
  }
}

/**
 * Returns the transform that removes types. Syntax that needs code, such as enums, is an error with a remedy.
 *
 * @param remedy the end of a sentence about what such syntax needs
 */
export function stripTransform(strip: StripTypes, remedy: string): (file: string, source: string) => string {
  return (file, source) => {
    const stripped = strippedOrThrow(strip, source, ({ text, line, column, isUnsupported }) => {
      const message = isUnsupported ? `${text}. Node only removes types: other syntax of TypeScript ${remedy}.` : text
      return new TransformError(message, locationText(file, line, column))
    })
    const decorator = decoratorLine(strip, source)
    if (decorator === null) return stripped
    const column = (source.split('\n')[decorator - 1] ?? '').indexOf('@') + 1
    const message = `JavaScript has no decorators. Node only removes types: decorators ${remedy.replace(/^needs/, 'need')}.`
    throw new TransformError(message, locationText(file, decorator, column))
  }
}

function locationText(file: string, line: number | null, column: number | null): string {
  return [file, line, column].filter((part) => part !== null && part !== 0).join(':')
}

function strippedOrThrow(strip: StripTypes, source: string, errorOf: (found: StripError) => Error): string {
  try {
    return strip(source)
  } catch (thrown) {
    throw thrown instanceof SyntaxError ? errorOf(parsedError(thrown)) : thrown
  }
}

/**
 * Returns the line of the first decorator; null if there is none. Node leaves decorators in its output, and then fails without
 * a position. A comma after `@` changes no text, comment or regular expression, but is an error in a decorator.
 */
function decoratorLine(strip: StripTypes, source: string): number | null {
  const changed = source.replaceAll(/@(?=[\w$(])/g, '@,')
  if (changed === source) return null
  try {
    strip(changed)
    return null
  } catch (thrown) {
    return parsedError(thrown as Error).line
  }
}

/** An error of `stripTypeScriptTypes`. */
interface StripError {
  readonly text: string
  readonly line: number | null
  readonly column: number | null
  /** Whether the syntax is valid, but needs more than to remove types. */
  readonly isUnsupported: boolean
}

/** The position is above the message in the stack, or below the text in the message of Node 22.13 and 22.14. */
function parsedError({ message, stack = '' }: Error): StripError {
  const [, text = message.trim()] = /^ *x (.*)/.exec(message) ?? []
  const [, line] = /^ *,-\[(\d+):/m.exec(message) ?? /^.*:(\d+)\n/.exec(stack) ?? []
  const [, spaces] = /^ *: ( *)\^/m.exec(message) ?? /^( *)\^/m.exec(stack.split(/\nSyntaxError/, 1).join('')) ?? []
  return {
    text: text.replace(/\.$/, ''),
    line: line === undefined ? null : Number(line),
    column: spaces === undefined ? null : spaces.length + 1,
    isUnsupported: /not supported in (?:strip-only|type strip) mode/.test(message),
  }
}
