import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files that are only text, by the name under which they import each other. */
export type VirtualFiles = Readonly<Record<string, string>>

/**
 * Type-checks texts as files of a folder in the repository, with `ashlar` meaning the sources. A text comes before the
 * file of its name.
 *
 * @returns what the compiler says, by file; a file without faults has an empty list
 */
export function typeErrors(
  files: VirtualFiles,
  folder = `${root}test/docs/virtual/`,
): Readonly<Record<string, readonly string[]>> {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`${folder}${name}`, text]))
  const folders = new Set([...texts.keys()].flatMap(foldersOf))
  const options = compilerOptions()
  const disk = ts.createCompilerHost(options)
  const fromDisk = parsedOnce(disk)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    directoryExists: (path) => folders.has(path) || disk.directoryExists?.(path) === true,
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile(path, target, ...rest) {
      const text = texts.get(path)
      return text === undefined
        ? fromDisk(path, target, ...rest)
        : ts.createSourceFile(path, text, target, true, ts.ScriptKind.TS)
    },
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return Object.fromEntries([...texts.keys()].map((path) => [path.slice(folder.length), errorsOf(program, path)]))
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_part, count) => parts.slice(0, count).join('/'))
}

/** Files of the disk are the same for every page: to parse them takes half of the time. */
const parsed = new Map<string, ts.SourceFile | undefined>()

function parsedOnce(disk: ts.CompilerHost): ts.CompilerHost['getSourceFile'] {
  return (path, ...rest) => {
    if (!parsed.has(path)) parsed.set(path, disk.getSourceFile(path, ...rest))
    return parsed.get(path)
  }
}

function errorsOf(program: ts.Program, path: string): readonly string[] {
  const file = program.getSourceFile(path)
  return ts.getPreEmitDiagnostics(program, file).map(({ start, messageText }) => {
    const line = file === undefined || start === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root)
  // An example shows a thing without using it.
  return { ...options, allowJs: false, noUnusedLocals: false, noUnusedParameters: false }
}
