import type { ErrorObject } from 'ajv'

/**
 * Of all that JSON Schema found, what a client is told: the leaves of what failed. A choice none of whose branches fits
 * is told by the branch that was meant, where one can be told from the others, else by itself. The name of a format says
 * more than the other keywords of its schema, so it comes first.
 */
export function toldErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const told: ErrorObject[] = []
  for (const error of errors) {
    // One by one: as many as a client's list has items would be too many arguments for one call.
    for (const each of isChoice(error) ? toldChoice(error, branchErrors(told, error)) : [error]) {
      if (each.keyword !== 'if') told.push(each)
    }
  }
  return told.some(isFormat) ? [...told.filter(isFormat), ...told.filter((error) => !isFormat(error))] : told
}

function isFormat({ keyword }: ErrorObject): boolean {
  return keyword === 'format'
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Takes away what was found in the branches of a choice: that comes right before the choice itself. */
function branchErrors(told: ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  let start = told.length
  while (start > 0 && isBeneath(told[start - 1], choice)) start -= 1
  return told.splice(start)
}

function isBeneath(error: ErrorObject | undefined, choice: ErrorObject): boolean {
  if (error === undefined || !`${error.instancePath}/`.startsWith(`${choice.instancePath}/`)) return false
  return error.schemaPath.startsWith(`${choice.schemaPath}/`) || (isReferred(error) && !isReferred(choice))
}

/** Found in a definition that a branch refers to: of which branch, the error does not say. */
function isReferred({ schemaPath }: ErrorObject): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(schemaPath)
}

function toldChoice(choice: ErrorObject, beneath: readonly ErrorObject[]): readonly ErrorObject[] {
  if (beneath.some((error) => !error.schemaPath.startsWith(`${choice.schemaPath}/`))) return [choice]
  const branches = new Map<string, ErrorObject[]>()
  for (const error of beneath) {
    const [branch = ''] = error.schemaPath.slice(choice.schemaPath.length + 1).split('/')
    const same = branches.get(branch)
    if (same === undefined) branches.set(branch, [error])
    else same.push(error)
  }
  const [meant, another] = [...branches.values()].filter((branch) => {
    return !branch.some((error) => isAnother(error, choice))
  })
  return meant === undefined || another !== undefined ? [choice] : meant
}

/** A branch of another JSON type, or with another fixed value, is not the one that was meant. */
function isAnother({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return keyword === 'const' || (keyword === 'type' && instancePath === choice.instancePath)
}
