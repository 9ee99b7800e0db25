import type * as OxcTransform from 'oxc-transform'
import { importInstalled } from '../../util/import-installed.js'

/** Returns the JavaScript of a TypeScript file, with its source map. Throws a {@link TransformError}. */
export type Transform = (file: string, source: string) => string

/**
 * A TypeScript file that cannot be compiled. The thread of the application gets its members, but not its class: compare the
 * name.
 */
export class TransformError extends SyntaxError {
  override readonly name = 'TransformError'
  /** The file, with the line and the column if they are known: `/music/src/albums.ts:3:5`. Null if the reason is not in the file. */
  readonly location: string | null

  constructor(message: string, location: string | null) {
    super(message)
    this.location = location
  }
}

/** Returns the error of a TypeScript file if no compiler is installed. */
export function missingTransform(file: string): TransformError {
  const message = `'${file}' is TypeScript, which needs the package 'oxc-transform': npm install --save-dev oxc-transform. Or compile it, and give the path of the JavaScript.`
  return new TransformError(message, null)
}

/** Returns the TypeScript compiler: the package `oxc-transform`, an optional peer. Null if it is not installed. */
export async function installedTransform(): Promise<Transform | null> {
  const installed = await importInstalled<typeof OxcTransform>('oxc-transform')
  return installed === null ? null : transformBy(installed)
}

function transformBy({ transformSync }: typeof OxcTransform): Transform {
  return (file, source) => {
    const { code, map, errors } = transformSync(file, source, { sourcemap: true, decorator: { legacy: true } })
    const [error] = errors
    if (error !== undefined) throw transformError(file, error)
    const encoded = Buffer.from(JSON.stringify(map)).toString('base64')
    return `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`
  }
}

function transformError(file: string, { message, helpMessage, codeframe }: OxcTransform.OxcError): TransformError {
  // The offsets of the labels count bytes or characters, which depends on the version. The code frame contains the position.
  const [, line, column] = /:(\d+):(\d+)\]/.exec(codeframe ?? '') ?? []
  const text = helpMessage === null ? message : `${message} (${helpMessage})`
  return new TransformError(text, line === undefined ? file : `${file}:${line}:${column}`)
}
