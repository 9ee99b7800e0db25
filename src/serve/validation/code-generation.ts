import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'

/**
 * Returns why a server cannot check values in this process; `null` if it can. Validators of JSON Schemas are compiled to
 * functions, which Node refuses with `--disallow-code-generation-from-strings`. Servers that only read need no validators,
 * unless a filter has constraints.
 */
export function codeGenerationProblem(types: readonly CompiledType[]): Error | null {
  const needing = types.find(needsValidators)
  if (needing === undefined || canGenerateCode()) return null
  return new Error(
    `The type '${needing.type}' checks values by JSON Schemas, which are compiled to functions, and this process must not generate code: start it without --disallow-code-generation-from-strings, or serve the type read-only and without constraints on filters.`,
  )
}

function needsValidators({ operations, actions, filters }: CompiledType): boolean {
  const isWritten = operations.has('Create') || operations.has('Update') || actions.length > 0
  return isWritten || Object.values(filters).some(({ constraints }) => constraints.length > 0)
}

function canGenerateCode(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- an empty function, to see whether that is possible
    return typeof new Function() === 'function'
  } catch {
    return false
  }
}
