import type { ErrorObject } from 'ajv'

/**
 * Selects the JSON Schema errors that are reported to the client: the leaves of the failed schemas. If no branch of a
 * choice (`anyOf`, `oneOf`) fits, the errors of the branch that the client intended are reported, or the error of the
 * choice itself if that branch cannot be determined. Errors of `format` come first, because the name of a format is
 * more informative than the other keywords of its schema.
 */
export function reportedErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const reported: ErrorObject[] = []
  for (const error of errors) {
    // Pushed one by one: a long list from a client gives more errors than one call can take as arguments.
    for (const each of isChoice(error) ? choiceErrors(error, branchErrors(reported, error)) : [error]) {
      if (each.keyword !== 'if') reported.push(each)
    }
  }
  return reported.some(isFormat)
    ? [...reported.filter(isFormat), ...reported.filter((error) => !isFormat(error))]
    : reported
}

function isFormat({ keyword }: ErrorObject): boolean {
  return keyword === 'format'
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Removes and returns the errors in the branches of a choice. They come directly before the error of the choice. */
function branchErrors(reported: ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  let start = reported.length
  while (start > 0 && isBeneath(reported[start - 1], choice)) start -= 1
  return reported.splice(start)
}

function isBeneath(error: ErrorObject | undefined, choice: ErrorObject): boolean {
  if (error === undefined || !`${error.instancePath}/`.startsWith(`${choice.instancePath}/`)) return false
  return error.schemaPath.startsWith(`${choice.schemaPath}/`) || (isInDefinition(error) && !isInDefinition(choice))
}

/** Whether an error is in a definition that a branch refers to. The error does not name the branch. */
function isInDefinition({ schemaPath }: ErrorObject): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(schemaPath)
}

function choiceErrors(choice: ErrorObject, beneath: readonly ErrorObject[]): readonly ErrorObject[] {
  if (beneath.some((error) => !error.schemaPath.startsWith(`${choice.schemaPath}/`))) return [choice]
  const branches = new Map<string, ErrorObject[]>()
  for (const error of beneath) {
    const [branch = ''] = error.schemaPath.slice(choice.schemaPath.length + 1).split('/')
    const same = branches.get(branch)
    if (same === undefined) branches.set(branch, [error])
    else same.push(error)
  }
  const [meant, another] = [...branches.values()].filter((branch) => {
    return !branch.some((error) => isOfOtherBranch(error, choice))
  })
  return meant === undefined || another !== undefined ? [choice] : meant
}

/** Whether an error shows that its branch was not intended: the branch has another JSON type, or another fixed value. */
function isOfOtherBranch({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return keyword === 'const' || (keyword === 'type' && instancePath === choice.instancePath)
}
