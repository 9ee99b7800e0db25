import { arch, platform, versions } from 'node:process'
import type * as OxcTransform from 'oxc-transform'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { importInstalled } from '../../../core/util/import-installed.js'
import { toolVersions } from '../tool-versions.js'
import { nodeStripTypes, type StripTypes, stripTransform } from './strip-transform.js'
import { TransformError } from './transform-error.js'

/** Returns the JavaScript of a TypeScript file, with its source map if positions change. Throws a {@link TransformError}. */
export type Transform = (file: string, source: string) => string

/** The sources of compilers, which tests replace. */
interface Compilers {
  /** Imports the package `oxc-transform`. Returns null if it is not installed. */
  readonly importPackage: () => Promise<typeof OxcTransform | null>
  /** Returns the function of Node that removes types. Returns null if there is none. Loading it takes time. */
  readonly stripTypes: () => StripTypes | null
}

/**
 * Returns the TypeScript compiler of this process: the package `oxc-transform` if the application has installed it, because
 * it knows the whole syntax, else Node. If there is neither, the result throws an error that contains the remedy.
 */
export async function availableTransform({
  importPackage = () => importInstalled<typeof OxcTransform>('oxc-transform'),
  stripTypes = nodeStripTypes,
}: Partial<Compilers> = {}): Promise<Transform> {
  let remedy = `needs the package 'oxc-transform': ${installCommand()}`
  try {
    const installed = await importPackage()
    if (installed !== null) return packageTransform(installed)
  } catch (thrown) {
    // npm installs the package without its binding if the registry does not have that for the platform.
    remedy = `needs the package 'oxc-transform', which is installed, but does not load on ${platform} ${arch} (${firstLine(thrown)}). Install the version that Ashlar is tested with: ${installCommand()}`
  }
  const strip = stripTypes()
  return strip === null ? missingTransform(remedy) : stripTransform(strip, remedy)
}

/** The exact version, because later ones may have no binding for some platforms. */
function installCommand(): string {
  return `npm install --save-dev oxc-transform@${toolVersions['oxc-transform'].slice('^'.length)}`
}

function firstLine(thrown: unknown): string {
  return thrownMessage(thrown).split('\n', 1).join('').replace(/\.$/, '')
}

function missingTransform(remedy: string): Transform {
  return (file) => {
    const message = `'${file}' is TypeScript, which on Node ${versions.node} ${remedy}. Node 22.13 and later need no package. Or compile it, and give the path of the JavaScript.`
    throw new TransformError(message, null)
  }
}

function packageTransform({ transformSync }: typeof OxcTransform): Transform {
  return (file, source) => {
    const { code, map, errors } = transformSync(file, source, { sourcemap: true, decorator: { legacy: true } })
    const [error] = errors
    if (error !== undefined) throw packageError(file, error)
    const encoded = Buffer.from(JSON.stringify(map)).toString('base64')
    return `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`
  }
}

function packageError(file: string, { message, helpMessage, codeframe }: OxcTransform.OxcError): TransformError {
  // The offsets of the labels count bytes or characters, which depends on the version. The code frame contains the position.
  const [, line, column] = /:(\d+):(\d+)\]/.exec(codeframe ?? '') ?? []
  const text = helpMessage === null ? message : `${message} (${helpMessage})`
  return new TransformError(text, line === undefined ? file : `${file}:${line}:${column}`)
}
