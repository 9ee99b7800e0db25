import { type Part, type PartList, sourceTree } from './merge/source-tree.js'

/** Returns the members of the object that declares a constant; null if the text has no such constant, or cannot be parsed. */
export function declaredMembers(text: string | null, constant: string): PartList | null {
  if (text === null) return null
  try {
    const { inner } = sourceTree(text).parts.find(({ key }) => key === `const ${constant}`) ?? { inner: null }
    return inner?.kind === 'members' ? inner : null
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    return null
  }
}

export function memberNamed({ parts }: PartList, name: string): Part | undefined {
  return parts.find(({ key }) => key === name)
}
