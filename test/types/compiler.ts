import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A diagnostic in a file: where it begins, and everything it says. */
export interface Finding {
  /** Counted from 1, as editors do. */
  readonly line: number
  readonly text: string
}

export interface Checked {
  findings(file: string): readonly Finding[]
  /** How many types the compiler made from generic ones: the same on every machine. */
  instantiations(): number
}

/** Checks files with the repository's own options; `virtual` are texts by the path they pretend to have. */
export function check(files: readonly string[], virtual: ReadonlyMap<string, string> = new Map()): Checked {
  const options = repositoryOptions()
  const disk = ts.createCompilerHost(options, true)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => virtual.has(name) || disk.fileExists(name),
    readFile: (name) => virtual.get(name) ?? disk.readFile(name),
    getSourceFile(name, ...rest) {
      const text = virtual.get(name)
      return text === undefined ? disk.getSourceFile(name, ...rest) : ts.createSourceFile(name, text, rest[0], true)
    },
  }
  const program = ts.createProgram([...files], options, host)
  return {
    findings: (file) => findingsIn(program, file),
    instantiations: () => (program as unknown as { getInstantiationCount(): number }).getInstantiationCount(),
  }
}

function repositoryOptions(): ts.CompilerOptions {
  const path = `${root}tsconfig.json`
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name)) as { config: unknown }
  return ts.parseJsonConfigFileContent({ ...(config as object), include: [], files: [] }, ts.sys, root).options
}

function findingsIn(program: ts.Program, file: string): readonly Finding[] {
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} is not among the files that were checked`)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => ({
    line: source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line + 1,
    text: ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'),
  }))
}
