import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { declarationPaths } from './built-package.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The output of an editor for a text: suggestions at marked positions, and the messages of errors. */
export interface EditorView {
  /** Returns the names that an editor suggests at the mark `/*name*\/`. Every identifier in scope counts as none. */
  readonly suggestionsAt: (mark: string) => readonly string[]
  /** Returns the lines to which an editor goes from the name after the mark `/*name*\/`. */
  readonly definitionsAt: (mark: string) => readonly string[]
  /** Returns what an editor shows for the name after the mark `/*name*\/`: its declaration, with its type. */
  readonly hoverAt: (mark: string) => string
  /** Returns the flattened messages of the errors on the line of a mark `// name`. */
  readonly messagesAt: (mark: string) => readonly string[]
}

/** Opens a text in the language service of editors. `ashlar` resolves to the declarations of the package. Opening takes some seconds. */
export function openInEditor(text: string): EditorView {
  const path = join(root, 'test/types/virtual.ts')
  const settings = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
  })
  const paths = declarationPaths()
  const read = (file: string): string | undefined => (file === path ? text : ts.sys.readFile(file))
  const service = ts.createLanguageService({
    directoryExists: (folder) => ts.sys.directoryExists(folder),
    getDirectories: (folder) => ts.sys.getDirectories(folder),
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot(file) {
      const content = read(file)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => root,
    // The types of Node.js are not needed here, and take long to read.
    getCompilationSettings: () => ({ ...settings?.options, paths, types: [] }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (file) => file === path || ts.sys.fileExists(file),
    readFile: read,
  })
  const positionOf = (mark: string): number => {
    const position = text.indexOf(mark)
    if (position < 0) throw new Error(`The text has no mark ${mark}.`)
    return position
  }
  const lineOf = (position: number): number => text.slice(0, position).split('\n').length
  return {
    suggestionsAt(mark) {
      const found = service.getCompletionsAtPosition(path, positionOf(`/*${mark}*/`), {})
      // Without type information, editors offer what is in scope, keywords included.
      const entries = found?.entries ?? []
      return entries.some(({ kind }) => kind === ts.ScriptElementKind.keyword) ? [] : entries.map(({ name }) => name)
    },
    definitionsAt(mark) {
      const comment = `/*${mark}*/`
      const found = service.getDefinitionAtPosition(path, positionOf(comment) + comment.length) ?? []
      return found.map(({ fileName, textSpan }) => {
        const content = read(fileName) ?? ''
        const start = content.lastIndexOf('\n', textSpan.start) + 1
        return content.slice(start, content.indexOf('\n', textSpan.start)).trim()
      })
    },
    hoverAt(mark) {
      const comment = `/*${mark}*/`
      const found = service.getQuickInfoAtPosition(path, positionOf(comment) + comment.length)
      return (found?.displayParts ?? []).map(({ text: part }) => part).join('')
    },
    messagesAt(mark) {
      const line = lineOf(positionOf(`// ${mark}\n`))
      return service
        .getSemanticDiagnostics(path)
        .filter(({ start = 0 }) => lineOf(start) === line)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
  }
}
