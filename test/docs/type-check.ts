import { compile } from '../support/compile.js'

/** A block of a page as a file for the compiler. */
export interface BlockFile {
  /** Where the block was found. */
  readonly location: string
  /** The path from which other files import it, and from which it imports them. */
  readonly path: string
  readonly text: string
}

/** The errors of the compiler, by the location of the block; empty for a block without errors. */
export type BlockErrors = Readonly<Record<string, readonly string[]>>

/**
 * Type-checks blocks as files of one program, except those that augment the interfaces of a package: augmentations apply to their whole
 * program, and no other block may depend on them.
 */
export async function typeErrors(blocks: readonly BlockFile[]): Promise<BlockErrors> {
  const augmenting = blocks.filter(({ text }) => /^declare (?:module|global)\b/m.test(text))
  const others = blocks.filter((block) => !augmenting.includes(block))
  return { ...(await errorsInProgram(others)), ...(await errorsInProgram(augmenting)) }
}

async function errorsInProgram(blocks: readonly BlockFile[]): Promise<BlockErrors> {
  if (blocks.length === 0) return {}
  const files = Object.fromEntries(blocks.map(({ path, text }) => [path, text]))
  if (Object.keys(files).length < blocks.length) throw new Error('Two blocks have the same path')
  // An example shows a thing without using it.
  const { diagnosticsOf } = await compile(files, { allowUnused: true })
  return Object.fromEntries(
    blocks.map(({ location, path }) => [
      location,
      diagnosticsOf(path).map(({ line, message }) => `line ${line}: ${message}`),
    ]),
  )
}
