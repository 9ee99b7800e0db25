import type * as YamlPackage from 'yaml'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { importInstalled } from '../../../core/util/import-installed.js'
import { UsageError } from '../command.js'

type Yaml = Pick<typeof YamlPackage, 'parseDocument'>

/** Reads a YAML document. Throws a `UsageError` if it has faults, or if the package that reads YAML is not installed. */
export async function readYaml(text: string, name: string): Promise<unknown> {
  const yaml = await importInstalled<Yaml>('yaml')
  if (yaml === null) {
    throw new UsageError(`'${name}' is not JSON. To read YAML, install the package 'yaml': npm install --save-dev yaml`)
  }
  const document = yaml.parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) {
    const [line] = error.linePos ?? []
    const at = line === undefined ? '' : ` at line ${line.line}`
    const [sentence = ''] = error.message.split(/ at line \d+|\n/)
    throw new UsageError(`'${name}' cannot be read as YAML${at}: ${sentence}.`, { cause: error })
  }
  try {
    // A document of a few lines with aliases of aliases could become a huge value.
    return document.toJS({ maxAliasCount: 100 })
  } catch (thrown) {
    throw new UsageError(`'${name}' cannot be read as YAML: ${thrownMessage(thrown)}.`, { cause: thrown })
  }
}
