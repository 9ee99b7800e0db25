import { buildNode } from './build-node.js'
import type { ParameterContract } from './contract.js'
import type { ContractDocument } from './contract-document.js'
import { deprecationOf } from './deprecation-of.js'
import type { JsonObject } from './json.js'
import { canonicalJson, textIn } from './json.js'

/** Reads a parameter: https://spec.openapis.org/oas/v3.1.0#parameter-object */
export function readParameter(parameter: JsonObject, document: ContractDocument): ParameterContract {
  return document.once(`parameter ${canonicalJson(parameter)}`, () => parameterOf(parameter, document))
}

function parameterOf(parameter: JsonObject, document: ContractDocument): ParameterContract {
  const { schema, style, explode, required, 'x-default': fallback } = parameter
  const schemas = fallback === undefined ? [schema] : [schema, { 'x-default': fallback }]
  return {
    node: buildNode(schemas, document, { kind: 'member', isRequired: required === true }),
    style: `${textIn(style) ?? 'form'} ${explode !== false}`,
    deprecation: deprecationOf(parameter),
    isSearch: parameter['x-search'] === true,
  }
}
