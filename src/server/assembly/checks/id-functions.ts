import type { IdFallback } from '../../../declare/resource/fields/id-declaration.js'
import { isComposite } from '../../../declare/resource/parts/key-columns.js'
import { synchronousRemedy, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that the functions that generate, encode and decode ids can be called, and that the column of an id is a name.
 */
export const idFunctions: BuildRule = eachType(({ type: { ids } }) =>
  ids.flatMap(({ column: key, spec: { fallback, codec, column, format } }) => [
    ...(isComposite(key) && format !== null && format !== 'pattern' && (codec === null || isMinted(fallback.kind))
      ? [
          fault(
            `${format}() does not fit an id of several columns`,
            'remove it, or make the id with encodeUsing() and generateUsing()',
          ),
        ]
      : []),
    ...(fallback.kind === 'function' && typeof fallback.generate !== 'function'
      ? [
          fault(
            `generateUsing() was given ${describeValue(fallback.generate)}`,
            'give a function that returns the stored key',
          ),
        ]
      : []),
    ...(codec === null ? [] : codecFaults(codec)),
    ...(column === null || isName(column)
      ? []
      : [fault(`id() was given ${describeValue(column)}`, 'give the name of a column')]),
  ]),
)

function codecFaults(codec: unknown): readonly TypeFault[] {
  const { encode, decode } = (codec ?? {}) as { readonly encode?: unknown; readonly decode?: unknown }
  if (typeof encode !== 'function' || typeof decode !== 'function') {
    return [fault('encodeUsing() was given no codec', "give an object with the functions 'encode' and 'decode'")]
  }
  return Object.entries({ encode, decode })
    .filter(([, part]) => isAsyncFunction(part))
    .map(([name]) => fault(`encodeUsing() was given an async function as '${name}'`, synchronousRemedy))
}

/** Returns whether the server generates a text, which cannot be the list of values of a composite key. */
function isMinted(kind: IdFallback['kind']): boolean {
  return kind === 'uuid' || kind === 'ulid'
}

function isName(column: unknown): boolean {
  return typeof column === 'string' && column !== ''
}

function fault(problem: string, remedy: string): TypeFault {
  return { member: 'id', problem, remedy }
}
