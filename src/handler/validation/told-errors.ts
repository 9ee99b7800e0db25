import type { ErrorObject } from 'ajv'

/**
 * Of all that JSON Schema found, what a client is told: the leaves of what failed. A choice none of whose branches fits
 * is told by the branch that was meant, where one can be told from the others, else by itself. The name of a format says
 * more than the other keywords of its schema, so it comes first.
 */
export function toldErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(isChoice)
  const outermost = choices.filter((choice) => !choices.some((other) => isBeneath(choice, other, errors)))
  const told = errors.flatMap((error): readonly ErrorObject[] => {
    if (outermost.includes(error)) return toldChoice(error, errors)
    const isPart = error.keyword === 'if' || isChoice(error)
    return isPart || outermost.some((choice) => isBeneath(error, choice, errors)) ? [] : [error]
  })
  return [...told.filter(({ keyword }) => keyword === 'format'), ...told.filter(({ keyword }) => keyword !== 'format')]
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Whether an error was found in a branch of a choice: branches are told before the choice is. */
function isBeneath(error: ErrorObject, choice: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (error === choice || !`${error.instancePath}/`.startsWith(`${choice.instancePath}/`)) return false
  if (error.schemaPath.startsWith(`${choice.schemaPath}/`)) return true
  return isReferred(error) && !isReferred(choice) && errors.indexOf(error) < errors.indexOf(choice)
}

/** Found in a definition that a branch refers to: of which branch, the error does not say. */
function isReferred({ schemaPath }: ErrorObject): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(schemaPath)
}

function toldChoice(choice: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const beneath = errors.filter((error) => isBeneath(error, choice, errors))
  if (beneath.some(isReferred)) return [choice]
  const branches = new Map<string, readonly ErrorObject[]>()
  for (const error of beneath) {
    const [branch = ''] = error.schemaPath.slice(choice.schemaPath.length + 1).split('/')
    branches.set(branch, [...(branches.get(branch) ?? []), error])
  }
  const [meant, another] = [...branches.values()].filter((branch) => {
    return !branch.some((error) => isAnother(error, choice))
  })
  return meant === undefined || another !== undefined ? [choice] : toldErrors(meant)
}

/** A branch of another JSON type, or with another fixed value, is not the one that was meant. */
function isAnother({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return keyword === 'const' || (keyword === 'type' && instancePath === choice.instancePath)
}
